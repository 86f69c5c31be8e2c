import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openLab } from './a-lab.ts';
import {
  type Fresh,
  keepRequest,
  NEW_RECEIVER,
  planAnswer,
  type ReceiverState,
} from '../../../playground/demo-backend/lab-plan.ts';

const OK = { behaviour: 'ok', seconds: 5, remembersEvents: true, secret: null };

/** Opens a lab and registers its receiver as an endpoint of the account. */
async function openReceiver(settings: object = {}) {
  const lab = await openLab();
  const { client, shop, demo } = lab;
  const set = async (change: object): Promise<Response> =>
    shop('lab/receiver/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...OK, ...change }),
    });
  const state = async (): Promise<ReceiverState & { url: string }> =>
    (await shop('lab/receiver/state')).json();
  const { url } = await state();
  const endpoint = await client.createEndpoint(demo.tenantId, { url });
  await set({ secret: endpoint.secret, ...settings });
  /** Triggers two events. Resolves after the first delivery attempt of each. */
  const trigger = async () => {
    await client.trigger({ name: 'verified' });
    await client.clock.advance(1);
  };
  const health = async () => (await client.endpoint(endpoint.id)).health;
  return { ...lab, endpoint, set, state, trigger, health };
}

/** Returns the names of the processed events, in the order of processing. */
const processed = ({ requests }: ReceiverState) =>
  requests
    .toReversed()
    .filter(({ work }) => work === 'processed')
    .map(({ event }) => event);

describe('the lab’s receiver', () => {
  it('stores the body and headers of a request, and reports whether its signature is valid', async () => {
    const { trigger, state, set } = await openReceiver();
    await trigger();
    await set({ secret: 'whsec_another' });
    await trigger();
    const { requests } = await state();
    const [newest] = requests;
    expect(requests.map(({ signature }) => signature)).toEqual([
      'invalid',
      'invalid',
      'valid',
      'valid',
    ]);
    expect(JSON.parse(atob(newest!.bodyBase64))).toMatchObject({ event: newest!.event });
    expect(Object.fromEntries(newest!.headers)).toMatchObject({
      'x-ofage-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
  });

  it.each([
    { behaviour: 'server_error', outcome: 'fail', httpStatus: 500 },
    { behaviour: 'unauthorized', outcome: 'reject', httpStatus: 401 },
    { behaviour: 'gone', outcome: 'reject', httpStatus: 410 },
    { behaviour: 'too_many', outcome: 'fail', httpStatus: 429 },
    { behaviour: 'reset', outcome: 'fail', httpStatus: null },
    { behaviour: 'endless', outcome: 'ok', httpStatus: 200 },
    { behaviour: 'ok', outcome: 'ok', httpStatus: 200 },
  ])(
    'set to $behaviour gives the first attempt the outcome $outcome',
    async ({ behaviour, outcome, httpStatus }) => {
      const { trigger, client, endpoint } = await openReceiver({ behaviour });
      await trigger();
      const [delivery] = await client.deliveries({ endpointId: endpoint.id });
      expect(delivery!.attempts[0]).toMatchObject({ outcome, httpStatus });
    },
  );

  it('processes a repeated event once if it remembers events, and twice if not', async () => {
    for (const [remembersEvents, times] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const { trigger, state, client } = await openReceiver({
        behaviour: 'lost_answer',
        remembersEvents,
      });
      await trigger();
      await client.clock.advance(60_000);
      const { processed, requests } = await state();
      expect(Object.values(processed)).toEqual([times, times]);
      expect(new Set(requests.map(({ work }) => work))).toEqual(
        new Set(['processed', remembersEvents ? 'known' : 'processed_again']),
      );
    }
  });

  it('processes the later event first in the reorder behaviour', async () => {
    const { trigger, state, client } = await openReceiver({ behaviour: 'reorder' });
    await trigger();
    await client.clock.advance(60_000);
    expect(processed(await state())).toEqual(['verification.completed', 'session.started']);
  });

  it('forgets what it got, but not how it is set, and the other way round', async () => {
    const { trigger, set, state, shop, endpoint } = await openReceiver();
    const settings = { behaviour: 'gone', seconds: 7, remembersEvents: false, secret: 'whsec_x' };
    await trigger();
    await set(settings);
    expect(await state()).toMatchObject({ settings, count: 2, requests: { length: 2 } });
    expect((await shop('lab/receiver/requests', { method: 'DELETE' })).status).toBe(204);
    const cleared = { settings, count: 0, requests: [], processed: {} };
    expect(await state()).toEqual({ ...cleared, url: endpoint.url });
  });

  it.each(['', null])('checks no signature with the secret %j', async (secret) => {
    const { trigger, set, state } = await openReceiver();
    await set({ secret });
    await trigger();
    const { requests, settings } = await state();
    expect(settings.secret).toBeNull();
    expect(requests.map(({ signature }) => signature)).toEqual(['unchecked', 'unchecked']);
  });

  it.each([
    { behaviour: 'explode' },
    { seconds: 0 },
    { seconds: 61 },
    { seconds: 1.5 },
    { remembersEvents: 'yes' },
    { secret: 7 },
  ])('rejects invalid settings: %o', async (change) => {
    const { set, state } = await openReceiver();
    expect((await set(change)).status).toBe(400);
    expect((await state()).settings.behaviour).toBe('ok');
  });
});

describe('of many requests with long texts,', () => {
  /** Posts events with long texts, the newest with texts that are as long as a request may have them. */
  async function flood(path: string, count: number) {
    const lab = await openLab();
    for (let n = 0; n < count; n += 1) {
      const long = 'x'.repeat(n < count - 5 ? 300 : 30_000);
      const body = { event: `e${long}`, eventId: `${n} ${long}`, data: { sessionId: long } };
      await lab.shop(path, { method: 'POST', body: JSON.stringify(body) });
    }
    return lab;
  }
  const LONGEST_TEXT = 256;

  it('the receiver keeps the newest requests, the start of their texts, and the newest events', async () => {
    const { shop } = await flood('lab/receiver', 520);
    const state = (await (await shop('lab/receiver/state')).json()) as ReceiverState;
    expect(state.count).toBe(520);
    expect(state.requests).toHaveLength(30);
    for (const { event, eventId, sessionId, bodyBase64 } of state.requests) {
      for (const text of [event, eventId, sessionId])
        expect(text!.length).toBeLessThanOrEqual(LONGEST_TEXT);
      expect(atob(bodyBase64).length).toBeLessThanOrEqual(65_536);
    }
    const keys = Object.keys(state.processed);
    expect(keys).toHaveLength(500);
    expect(keys.at(-1)).toMatch(/^519 x+$/);
    for (const key of keys) expect(key.length).toBeLessThanOrEqual(2 * LONGEST_TEXT + 1);
    expect(state.requests[0]!.work).toBe('processed');
  });

  it('the receiver keeps an event that it has just processed again', () => {
    const request = (n: number): Fresh => ({
      receivedAt: new Date(n).toISOString(),
      headers: [],
      bodyBase64: '',
      event: 'verification.completed',
      eventId: `event ${n}`,
      sessionId: 's',
      signature: 'valid',
      isTest: false,
    });
    const process = (state: ReceiverState, n: number): ReceiverState =>
      keepRequest(state, request(n), planAnswer(state, request(n)));
    const settings = { ...NEW_RECEIVER.settings, remembersEvents: false };
    let state: ReceiverState = { ...NEW_RECEIVER, settings };
    for (let n = 0; n < 500; n += 1) state = process(state, n);
    state = process(process(state, 0), 500);
    expect(state.processed).toMatchObject({
      'event 0': 2,
      'event 2': 1,
      'event 500': 1,
    });
    expect(Object.keys(state.processed)).not.toContain('event 1');
  });

  it('the shop keeps the newest webhooks for the attack lab, and the start of their texts', async () => {
    const { shop } = await flood('webhooks/ofage', 30);
    const start = 'x'.repeat(LONGEST_TEXT);
    const { items } = await (await shop(`lab/captured?sessionId=${start}`)).json();
    expect(items).toHaveLength(20);
    expect(items[0].eventId).toHaveLength(LONGEST_TEXT);
  });

  it('a body that is longer than what is kept has a valid signature', async () => {
    const { set, state, shop, endpoint } = await openReceiver();
    const body = JSON.stringify({ event: 'x', padding: 'x'.repeat(100_000) });
    const secret = 'whsec_long';
    await set({ secret });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    await shop('lab/receiver', {
      method: 'POST',
      headers: { 'x-ofage-signature': `sha256=${signature}` },
      body,
    });
    expect((await state()).requests[0]!.signature, endpoint.id).toBe('valid');
  });
});
