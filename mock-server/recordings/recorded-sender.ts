import type { ReceiverAnswer, RecordedEvent } from '../control/recording.ts';
import type { Sender, WebhookFailure, WebhookRefusal, WebhookResult } from '../delivery/sender.ts';

/** A sender that responds in place of all receivers of a recording. No webhook leaves the process. */
export interface RecordedSender extends Sender {
  /** Sets the name of a session. Webhooks about a session wait until it has a name. */
  nameSession(id: string, name: string): void;
  /** Sets the response to all test events that follow. */
  answerTests(answer: ReceiverAnswer): void;
}

const ACCEPTED: ReceiverAnswer = { status: 200, error: null };

export function createRecordedSender(events: readonly RecordedEvent[]): RecordedSender {
  const answers = new Map<string, ReceiverAnswer[]>();
  for (const { session, event, deliveries } of events) {
    for (const { url, answers: given } of deliveries) {
      const key = toKey(url, session, event);
      answers.set(key, [...(answers.get(key) ?? []), ...given]);
    }
  }
  const names = createWaitingMap();
  /** The last response of each receiver, keyed by address. */
  const latest = new Map<string, ReceiverAnswer>();
  let testAnswer = ACCEPTED;

  /**
   * Returns the next recorded response. When none is left, repeats the receiver's last one, or accepts the
   * event if there was none.
   */
  function takeAnswer(url: string, key: string): ReceiverAnswer {
    const answer = answers.get(key)?.shift() ?? latest.get(url) ?? ACCEPTED;
    latest.set(url, answer);
    return answer;
  }

  return {
    nameSession: names.set,
    answerTests: (answer) => void (testAnswer = answer),
    async send({ url, body }) {
      const { test, event, data } = JSON.parse(new TextDecoder().decode(body)) as Payload;
      if (test) {
        latest.set(url, testAnswer);
        return toResult(testAnswer);
      }
      const session = await names.get(data.sessionId);
      return toResult(takeAnswer(url, toKey(url, session, event)));
    },
  };
}

/** The properties that every payload has. */
interface Payload {
  readonly test: boolean;
  readonly event: string;
  readonly data: { readonly sessionId: string };
}

function toKey(url: string, session: string, event: string): string {
  return `${url} ${session} ${event}`;
}

/**
 * Creates a map whose `get` waits for the value, because a webhook may be sent before the call that created
 * its session has returned.
 */
function createWaitingMap() {
  const parts = new Map<string, { resolve(value: string): void; promise: Promise<string> }>();
  const partOf = (key: string) => {
    let resolve = (_value: string): void => {};
    const promise = new Promise<string>((settle) => (resolve = settle));
    const part = parts.get(key) ?? { resolve, promise };
    parts.set(key, part);
    return part;
  };
  return {
    get: (key: string): Promise<string> => partOf(key).promise,
    set: (key: string, value: string): void => partOf(key).resolve(value),
  };
}

const REFUSALS: ReadonlySet<string> = new Set<WebhookRefusal>([
  'destination_not_public',
  'not_https',
]);

function toResult({ status, error, retryAfterMs }: ReceiverAnswer): WebhookResult {
  const nowhere = { address: null, hops: 0 };
  if (status !== null) {
    const retryAfter = retryAfterMs === undefined ? null : String(Math.ceil(retryAfterMs / 1000));
    return { kind: 'response', status, retryAfter, ...nowhere };
  }
  if (error !== null && REFUSALS.has(error))
    return { kind: 'refused', error: error as WebhookRefusal, ...nowhere };
  // An attempt has neither a status nor an error if the process crashed during it.
  return { kind: 'failure', error: (error ?? 'reset') as WebhookFailure, ...nowhere };
}
