import type { Behaviour, Match, Segment } from './scenario.ts';

/** Returns how a receiver behaves for this body. */
export function toAnswer({ behaviour, exception }: Segment, bodyText: string): Behaviour {
  return exception && matches(exception.events, bodyText) ? exception.behaviour : behaviour;
}

function matches(match: Match, bodyText: string): boolean {
  switch (match.by) {
    case 'kind':
      return bodyText.startsWith(`{"event":"${match.kind}"`);
    case 'session': {
      // A test event has the nil session id, which is never an exception.
      const [, digits = '0'] = /"sessionId":"([0-9a-f]{4})/.exec(bodyText) ?? [];
      const number = Number.parseInt(digits, 16);
      return number > 0 && number % match.oneIn === 0;
    }
    case 'body':
      return bodyText.includes(match.text);
  }
}
