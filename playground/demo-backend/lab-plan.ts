export const BEHAVIOURS = [
  'ok',
  'server_error',
  'unauthorized',
  'gone',
  'too_many',
  'slow',
  'hang',
  'reset',
  'endless',
  'redirect',
  'lost_answer',
  'reorder',
] as const;

export type Behaviour = (typeof BEHAVIOURS)[number];

export interface ReceiverSettings {
  readonly behaviour: Behaviour;
  /** Seconds, an integer from 1 to 60: the delay for `slow`, the `Retry-After` for `too_many`. */
  readonly seconds: number;
  /** True if the receiver ignores an event that it has already processed. */
  readonly remembersEvents: boolean;
  /** The endpoint's signing secret. If it is `null`, signatures are not checked. */
  readonly secret: string | null;
}

/** A request to the receiver, with its headers and bytes as received, and the response. */
export interface KeptWebhook {
  /** The number of the request, counted from 1. */
  readonly n: number;
  /** Real time of arrival. ISO 8601. */
  readonly receivedAt: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The bytes of the body, in base64. */
  readonly bodyBase64: string;
  readonly event: string | null;
  readonly eventId: string | null;
  readonly sessionId: string | null;
  readonly signature: 'valid' | 'invalid' | 'unchecked';
  /** `known`: the event was already processed, so this request was ignored. */
  readonly work: 'processed' | 'processed_again' | 'known' | 'none';
  /** The response as text for the page, for example `429, Retry-After: 5`. */
  readonly answer: string;
}

export interface ReceiverState {
  readonly settings: ReceiverSettings;
  readonly count: number;
  /** The received requests, newest first. */
  readonly requests: readonly KeptWebhook[];
  /**
   * Number of times that each of the newest events was processed. The key is the event's id or, if it has
   * none, its session and kind.
   */
  readonly processed: Readonly<Record<string, number>>;
}

/** A request for which the receiver has not chosen a response yet. */
export type Fresh = Omit<KeptWebhook, 'n' | 'work' | 'answer'> & { readonly isTest: boolean };

export interface Plan {
  readonly work: KeptWebhook['work'];
  readonly answer: string;
  readonly how: Behaviour;
}

const KEPT_REQUESTS = 30;
const KEPT_EVENTS = 500;

export const NEW_RECEIVER: ReceiverState = {
  settings: { behaviour: 'ok', seconds: 5, remembersEvents: true, secret: null },
  count: 0,
  requests: [],
  processed: {},
};

/** Decides how to respond to a request, and whether its event is processed. */
export function planAnswer({ settings, requests, processed }: ReceiverState, fresh: Fresh): Plan {
  const { behaviour, seconds, remembersEvents } = settings;
  const isFirst = !requests.some((request) => keyOf(request) === keyOf(fresh));
  const wasProcessed = (processed[keyOf(fresh)] ?? 0) > 0;
  const workOfCopy = remembersEvents ? 'known' : 'processed_again';
  const work = wasProcessed ? workOfCopy : 'processed';
  const doing = (answer: string, how = behaviour): Plan => ({ work, answer, how });
  const refusing = (answer: string): Plan => ({ work: 'none', answer, how: behaviour });
  switch (behaviour) {
    case 'ok':
      return doing('200');
    case 'endless':
      return doing('200, and a body without end');
    case 'slow':
      return doing(`200 after ${seconds} s`);
    case 'server_error':
      return refusing('500');
    case 'unauthorized':
      return refusing('401');
    case 'gone':
      return refusing('410');
    case 'too_many':
      return refusing(`429, Retry-After: ${seconds}`);
    case 'hang':
      return refusing('no response');
    case 'reset':
      return refusing('none, because the connection was reset');
    case 'redirect':
      return refusing('307 to /shop/lab/receiver/moved');
    case 'lost_answer':
      return isFirst ? doing('processed, but the response was lost', 'reset') : doing('200', 'ok');
    case 'reorder':
      return isFirst && fresh.event === 'session.started'
        ? refusing('503 once, so that the next event overtakes it')
        : doing('200', 'ok');
  }
}

/** Returns the state with the request added. The event of a test request is not processed. */
export function keepRequest(state: ReceiverState, fresh: Fresh, plan: Plan): ReceiverState {
  const { isTest, ...request } = fresh;
  const n = state.count + 1;
  const work = isTest ? 'none' : plan.work;
  const kept: KeptWebhook = { n, ...request, work, answer: plan.answer };
  const key = keyOf(fresh);
  const times = (state.processed[key] ?? 0) + 1;
  const isDone = work === 'processed' || work === 'processed_again';
  return {
    ...state,
    count: n,
    requests: [kept, ...state.requests].slice(0, KEPT_REQUESTS),
    processed: isDone ? withNewest(state.processed, key, times) : state.processed,
  };
}

/** Puts an event last, also one that was there before, and forgets the oldest. */
function withNewest(
  processed: ReceiverState['processed'],
  key: string,
  times: number,
): ReceiverState['processed'] {
  const others = Object.entries(processed).filter(([other]) => other !== key);
  return Object.fromEntries([...others, [key, times] as const].slice(-KEPT_EVENTS));
}

/** Returns a key that is the same for every delivery of one event. A session.started event has no id. */
function keyOf(request: Pick<Fresh, 'eventId' | 'sessionId' | 'event'>): string {
  return request.eventId ?? `${request.sessionId} ${request.event}`;
}

/** Parses the settings. Returns null if they are not valid. */
export function parseSettings(value: unknown): ReceiverSettings | null {
  const { behaviour, seconds, remembersEvents, secret } = { ...Object(value) } as Record<
    string,
    unknown
  >;
  const known = BEHAVIOURS.find((one) => one === behaviour);
  const isTime =
    typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= 60;
  if (!known || !isTime || typeof remembersEvents !== 'boolean') return null;
  if (secret !== null && typeof secret !== 'string') return null;
  return { behaviour: known, seconds, remembersEvents, secret: secret === '' ? null : secret };
}
