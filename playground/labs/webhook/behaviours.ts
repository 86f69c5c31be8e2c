import { ATTEMPT_TIMEOUT } from '../../../mock-server/words/limits.ts';
import type { Behaviour, KeptWebhook } from '../../demo-backend/lab-plan.ts';
import { SIGNATURE_HEADER } from '../../shared/explainer/explain.ts';

/** The menu's texts for each behaviour of the receiver. */
export const BEHAVIOUR_TEXTS: Readonly<Record<Behaviour, { title: string; what: string }>> = {
  ok: { title: 'Answers 200', what: 'The event is delivered.' },
  server_error: {
    title: 'Answers 500',
    what: 'A temporary failure. Retried for 24 hours with growing delays. A whole day of failures pauses the endpoint.',
  },
  unauthorized: {
    title: 'Answers 401',
    what: 'A rejection, often because of a wrong secret. Retried, but one hour of rejections pauses the endpoint.',
  },
  gone: {
    title: 'Answers 410',
    what: 'A rejection, like most 4xx responses. One hour of rejections pauses the endpoint.',
  },
  too_many: {
    title: 'Answers 429 with Retry-After',
    what: 'The service waits at least as long as Retry-After before the next attempt.',
  },
  slow: {
    title: 'Answers slowly',
    what: `Delivered if the response takes less than ${ATTEMPT_TIMEOUT}. Otherwise the attempt fails, although the work was done.`,
  },
  hang: {
    title: 'Never answers',
    what: `The attempt times out after ${ATTEMPT_TIMEOUT} of real time.`,
  },
  reset: {
    title: 'Breaks the connection',
    what: 'A temporary failure, as when a server crashes.',
  },
  endless: {
    title: 'Answers with an endless body',
    what: 'Delivered, because only the status counts and the service does not read the body.',
  },
  redirect: {
    title: 'Redirects',
    what: `The service follows the redirect within the same ${ATTEMPT_TIMEOUT}. In the static playground the attempt fails, because browsers hide the target.`,
  },
  lost_answer: {
    title: 'Accepts, but the response is lost',
    what: 'The work is done, then the connection breaks, so the event is sent again. A receiver that does not store eventIds processes it twice.',
  },
  reorder: {
    title: 'Changes the order of events',
    what: 'session.started gets a 503 once, so it is delivered after the result. The order of events is not guaranteed.',
  },
};

/** Tells whether an attempt takes real time, so that an hour of attempts cannot be simulated at once. */
export function takesRealTime(behaviour: Behaviour): boolean {
  return behaviour === 'hang' || behaviour === 'slow';
}

export const WORK_TEXTS: Readonly<Record<KeptWebhook['work'], string>> = {
  processed: 'processed',
  processed_again: 'processed again',
  known: 'already known, skipped',
  none: 'not processed',
};

export function signatureOf({ headers }: Pick<KeptWebhook, 'headers'>): string | undefined {
  return headers.find(([name]) => name === SIGNATURE_HEADER)?.[1];
}

/** Decodes a body to its text and to a hex dump with 16 bytes per line. */
export function toBytes(bodyBase64: string): { text: string; hex: string; length: number } {
  const bytes = Uint8Array.from(atob(bodyBase64), (char) => char.charCodeAt(0));
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16)
    lines.push(toHexLine(bytes.subarray(at, at + 16), at));
  return { text: new TextDecoder().decode(bytes), hex: lines.join('\n'), length: bytes.length };
}

function toHexLine(bytes: Uint8Array, at: number): string {
  const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const text = Array.from(bytes, (byte) => (isPrintable(byte) ? String.fromCharCode(byte) : '.'));
  return `${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${text.join('')}`;
}
