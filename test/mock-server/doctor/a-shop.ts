import type {
  DoctorFilter,
  DoctorReport,
  EndpointInput,
  ObservationInput,
  ServiceOptions,
  WebhookResult,
} from 'ofage-mock';
import { aMock, answered, HOOK, NEW_YEAR, type Mock } from '../../support/a-mock.ts';
import { RETURN_URL, type Answer } from '../../support/api.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export { HOOK } from '../../support/a-mock.ts';
export const PAGE = 'https://shop.example';

/** A receiver: returns its response to the nth webhook, and the delay before it. */
export type Receiver = (n: number) => { answer?: Partial<WebhookResult>; afterMs?: number };

/** A shop that uses the service over HTTP. A test can leave out any step or do it wrong. */
export interface Shop {
  readonly my: Mock;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly tenantId: string;
  /** Posts to the API, as a page or as a server. */
  post(path: string, key: string | null, body: object, headers?: object): Promise<Answer>;
  /** Creates a session from the page, as the SDK does. */
  create(body?: object): Promise<string>;
  /** Ends the verification with an outcome, and runs the jobs that this causes. */
  settle(sessionId: string, outcome?: 'verified' | 'failed_age_not_met'): Promise<void>;
  /** Creates a session and settles it. Returns its id. */
  verify(outcome?: 'verified' | 'failed_age_not_met'): Promise<string>;
  /** Validates the session from the shop's server. */
  validate(sessionId: string, body?: object): Promise<Answer>;
  observe(kind: ObservationInput['kind'], sessionId: string, more?: object): Promise<void>;
  advance(ms: number): Promise<void>;
  doctor(filter?: DoctorFilter): Promise<DoctorReport>;
  /** Returns the doctor's findings, each as `code severity`. */
  findings(filter?: DoctorFilter): Promise<string[]>;
}

export interface ShopOptions extends ServiceOptions {
  receiver?: Receiver;
}

/** Returns a receiver that fails one request, counted from 1, and accepts all others. */
export const failsOnce =
  (attempt: number, error: string): Receiver =>
  (n) =>
    n === attempt ? { answer: { kind: 'failure', error } as object } : {};

/** An integration, usually with a mistake, and all findings that the doctor reports for it. */
export interface Case {
  mistake: string;
  why: string;
  options?: ShopOptions;
  run: (shop: Shop) => Promise<unknown>;
  /** The findings, each as `code severity`. */
  finds: readonly string[];
  /** A part of the findings' details. @default any text */
  says?: RegExp;
}

/** Returns the id of the session's latest event. */
export const eventOf = async ({ my }: Shop, sessionId: string): Promise<string> =>
  (await my.control.events({ sessionId })).at(-1)!.id;

export const SIGNED = { url: HOOK, secret: 'whsec_of_the_shop' };
/** An endpoint that receives no events with a result. */
export const DEAF: EndpointInput = { ...SIGNED, events: ['session.started'] };

export async function aShop({
  receiver = () => ({}),
  ...options
}: ShopOptions = {}): Promise<Shop> {
  let moved = 0;
  const my = await aMock({
    endpoints: [SIGNED],
    // Real time passes only while a receiver is working.
    realClock: { now: () => NEW_YEAR + moved, wakeAt: () => () => {} },
    answer(_url, n) {
      const { answer, afterMs = 0 } = receiver(n);
      moved += afterMs;
      return { ...answered(204), ...answer } as WebhookResult;
    },
    ...options,
  });
  const { publishableKey, secretKey, tenantId, control, clock } = my;

  const post: Shop['post'] = (path, key, body, headers = {}) =>
    my.request(`/api/v1${path}`, {
      ...(key !== null && { key }),
      body,
      headers: headers as Record<string, string>,
    });
  const shop: Shop = {
    my,
    publishableKey,
    secretKey,
    tenantId,
    post,
    async create(body = {}) {
      const { body: created } = await post(
        '/sessions/create',
        publishableKey,
        { returnUrl: RETURN_URL, externalUserId: 'anna', ...body },
        { origin: PAGE, 'sec-fetch-site': 'cross-site' },
      );
      await clock.advance(0);
      return created.sessionId;
    },
    async settle(sessionId, outcome = 'verified') {
      await control.settle(sessionId, outcome);
      await clock.advance(0);
    },
    async verify(outcome) {
      const sessionId = await shop.create();
      await shop.settle(sessionId, outcome);
      return sessionId;
    },
    validate: (sessionId, body = { sessionId }) => post('/sessions/validate', secretKey, body),
    async observe(kind, sessionId, more = {}) {
      await control.addObservation({ kind, sessionId, ...more });
    },
    async advance(ms) {
      await clock.advance(ms);
    },
    doctor: (filter) => control.doctor(filter),
    findings: async (filter) =>
      (await control.doctor(filter)).findings.map(({ code, severity }) => `${code} ${severity}`),
  };
  return shop;
}

/** Runs a correct integration, from the page to the validate response that grants access. */
export async function buy(shop: Shop): Promise<string> {
  const sessionId = await shop.verify();
  const { body } = await shop.validate(sessionId);
  if (body.verified) await shop.observe('access_granted', sessionId, { by: 'return page' });
  return sessionId;
}

/** Runs a correct integration, which reports the number of times that it handled the session's event. */
export async function processLast(shop: Shop, times: number): Promise<void> {
  const id = await buy(shop);
  const eventId = await eventOf(shop, id);
  for (let n = 0; n < times; n += 1) await shop.observe('webhook_processed', id, { eventId });
}
