import type { ReturnParameters } from 'ofage';
import type { Decision } from './api.ts';

/** The text for returning shoppers, and the next page. */
export interface Verdict {
  readonly kind: 'open' | 'failed' | 'cancelled' | 'expired' | 'refused' | 'asking' | 'nothing';
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

/** Interprets the server's response. The address only tells whether there is a session to ask about. */
export function toVerdict(
  returned: ReturnParameters | null,
  answer: Decision | null,
  isInTrouble: boolean,
): Verdict {
  if (!returned) {
    return verdict(
      'nothing',
      'No check to show',
      'The age check returns here when it is done. Go to the shop and start one.',
    );
  }
  if (!answer) {
    return isInTrouble
      ? verdict(
          'refused',
          'We could not get the result',
          'Reload this page in a moment. The result is not lost.',
        )
      : verdict('asking', 'One moment', 'We are getting the result of your check.');
  }
  if (answer.access) {
    return verdict('open', 'Welcome in', 'Your age is confirmed. You can place your order.');
  }
  if (answer.problem?.code === 'session_expired') {
    return verdict(
      'expired',
      'The check has expired',
      'It was not finished within ten minutes. Start a new one in the shop.',
      'Try again in the shop',
    );
  }
  if (answer.problem) {
    return verdict(
      'refused',
      'No access with this check',
      'We could not confirm this result for you. Start your own check in the shop.',
    );
  }
  switch (answer.validation?.['status']) {
    case 'cancelled':
      return verdict(
        'cancelled',
        'Check cancelled',
        'No result was recorded. You can start again at any time.',
        'Try again in the shop',
      );
    case 'pending':
      return verdict(
        'asking',
        'Not finished yet',
        answer.checkUrl === undefined
          ? 'The check is still open in its own window or tab. Finish it there, then reload this page.'
          : 'The check is still open. Finish it to see its result here.',
      );
    default:
      return verdict(
        'failed',
        'We could not confirm your age',
        'We cannot sell to you without it. If the photo was unclear, or you have an ID at hand, try again in the shop.',
        'Try again in the shop',
      );
  }
}

const verdict = (
  kind: Verdict['kind'],
  title: string,
  text: string,
  button = 'Back to the shop',
): Verdict => ({ kind, title, text, button });
