import type { Behaviour, KeptWebhook } from '../../merchant-backend/lab-plan.ts';

/** The receiver's behaviours, in the order of the menu. */
export const BEHAVIOUR_TEXTS: Readonly<Record<Behaviour, { title: string; what: string }>> = {
  ok: { title: 'Answers 200', what: 'As it should be: the event is taken, and ticked off.' },
  server_error: {
    title: 'Answers 500',
    what: 'A failure that may pass. It is tried again, later and later, for 24 hours; a whole day of failures pauses the endpoint.',
  },
  unauthorized: {
    title: 'Answers 401',
    what: 'A rejection: “not like this”. It is tried again, and one hour of nothing else pauses the endpoint. Often the wrong secret.',
  },
  gone: { title: 'Answers 410', what: 'A rejection like any 4xx: an hour of it pauses.' },
  too_many: {
    title: 'Answers 429, Retry-After',
    what: 'Asks for patience, and gets it: the next try is no sooner than it says.',
  },
  slow: {
    title: 'Answers slowly',
    what: 'Still 200, as long as it takes less than 15 seconds. After that the attempt has failed, and the work was done all the same.',
  },
  hang: {
    title: 'Never answers',
    what: 'After 15 seconds of real time the attempt is given up as a timeout.',
  },
  reset: {
    title: 'Breaks the connection',
    what: 'What a server that crashes looks like. A failure that may pass.',
  },
  endless: {
    title: 'Answers without end',
    what: 'The status decides and nobody reads the body, so it counts as delivered.',
  },
  redirect: {
    title: 'Redirects',
    what: 'The service follows, within the same 15 seconds. Without a server a browser hides where it leads, and the attempt fails.',
  },
  lost_answer: {
    title: 'Takes it, and loses the answer',
    what: 'The work is done, and then the connection breaks. So the event comes again: without a memory of eventIds it is processed twice.',
  },
  reorder: {
    title: 'Lets events overtake',
    what: 'session.started is turned away once, and so comes after what it began. Order is never promised.',
  },
};

/** Tells whether an attempt takes real time, so that an hour of attempts cannot be simulated at once. */
export function takesRealTime(behaviour: Behaviour): boolean {
  return behaviour === 'hang' || behaviour === 'slow';
}

export const WORK_TEXTS: Readonly<Record<KeptWebhook['work'], string>> = {
  processed: 'processed',
  processed_again: 'processed again',
  known: 'known, left alone',
  none: 'not processed',
};

/** Returns the text of a body, and its bytes in hex, 16 per line. */
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
