import { type WebhookEvent, type WebhookEventKind, verifyWebhook } from 'ofage/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { SESSION_ID, eventBody } from './builders.ts';
import { SECRET, sign } from './signed-request.ts';

const receive = (body: string | Uint8Array): Promise<WebhookEvent> =>
  verifyWebhook(body, sign(body), SECRET);

const session = {
  sessionId: SESSION_ID,
  verificationMode: 'L2',
  challengeAge: 30,
  timestamp: '2026-01-02T03:05:05.000Z',
};

const envelopes: Record<WebhookEventKind, Record<string, unknown>> = {
  'session.started': { data: session },
  'verification.completed': { eventId: 'e-1', data: { ...session, verified: true } },
  'verification.failed': {
    eventId: 'e-2',
    data: { ...session, verified: false, reason: 'age_not_met' },
  },
  'verification.cancelled': {
    eventId: 'e-3',
    data: { ...session, verified: false, reason: 'cancelled' },
  },
  'session.timeout': { eventId: 'e-4', data: { ...session, expiresAt: '2026-01-02T03:15:05Z' } },
};

const events = Object.entries(envelopes).map(([event, more]) => ({
  event,
  timestamp: '2026-01-02T03:05:06.000Z',
  tenantId: 'tenant-1',
  test: false,
  ...more,
}));

describe('verifyWebhook()', () => {
  it.each(events)('returns $event unchanged', async (sent) => {
    expect(await receive(JSON.stringify(sent))).toEqual(sent);
  });

  it.each(events)('returns $event without fields that are unknown', async (sent) => {
    const data = { ...(sent as unknown as { data: object }).data, added: { deep: 1 } };
    expect(await receive(JSON.stringify({ ...sent, added: [1], data }))).toEqual(sent);
  });

  it.each(events)('returns the externalUserId of $event if the session has one', async (sent) => {
    const { data } = sent as unknown as { data: object };
    const withUser = { ...sent, data: { ...data, externalUserId: 'user-42' } };
    expect(await receive(JSON.stringify(withUser))).toEqual(withUser);
  });

  it('returns an event discriminated by its event field, in the types too', async () => {
    const event = await receive(JSON.stringify(eventBody()));
    if (event.event !== 'verification.completed') throw new Error('expected a completion');
    expectTypeOf(event.data.verified).toEqualTypeOf<true>();
    expect(event.data.verified).toBe(true);
  });

  it('returns the test flag', async () => {
    expect((await receive(JSON.stringify(eventBody({ test: true })))).test).toBe(true);
  });
});

const failed = (data: object) =>
  eventBody({ event: 'verification.failed' }, { verified: false, reason: 'age_not_met', ...data });

const refused: { why: string; body: unknown; code?: string }[] = [
  { why: 'an array', body: [] },
  { why: 'null', body: null },
  { why: 'no event', body: eventBody({ event: undefined }) },
  { why: 'no data', body: { ...eventBody(), data: undefined } },
  { why: 'data is an array', body: { ...eventBody(), data: [] } },
  { why: 'test is a string', body: eventBody({ test: 'false' }) },
  { why: 'test is missing', body: eventBody({ test: undefined }) },
  { why: 'tenantId is empty', body: eventBody({ tenantId: '' }) },
  {
    why: 'eventId is empty, which would make all events duplicates',
    body: eventBody({ eventId: '' }),
  },
  { why: 'eventId is a number', body: eventBody({ eventId: 7 }) },
  { why: 'timestamp is a number', body: eventBody({ timestamp: 1767323105678 }) },
  { why: 'a date that does not exist', body: eventBody({ timestamp: '2026-13-02T03:05:05Z' }) },
  { why: 'no session', body: eventBody({}, { sessionId: undefined }) },
  { why: 'an unknown mode', body: eventBody({}, { verificationMode: 'L3' }) },
  { why: 'an age that is a string', body: eventBody({}, { challengeAge: '25' }) },
  { why: 'a user that is a number', body: eventBody({}, { externalUserId: 42 }) },
  { why: 'completed with verified false', body: eventBody({}, { verified: false }) },
  { why: 'completed with verified as a string', body: eventBody({}, { verified: 'true' }) },
  { why: 'failed with verified true', body: failed({ verified: true }) },
  { why: 'failed without a reason', body: failed({ reason: undefined }) },
  {
    why: 'cancelled with the reason of another event',
    body: eventBody(
      { event: 'verification.cancelled' },
      { verified: false, reason: 'age_not_met' },
    ),
  },
  { why: 'a timeout without its deadline', body: eventBody({ event: 'session.timeout' }) },
  {
    why: 'an event of a future version',
    body: eventBody({ event: 'session.moved' }),
    code: 'event_unknown',
  },
  {
    why: 'an event name with capitals',
    body: eventBody({ event: 'Verification.Completed' }),
    code: 'event_unknown',
  },
  {
    why: 'the name of an inherited property',
    body: eventBody({ event: 'constructor' }),
    code: 'event_unknown',
  },
];

describe('verifyWebhook() rejects a signed body that is not a known, valid event', () => {
  it.each(refused)('($why)', async ({ body, code = 'payload_invalid' }) => {
    await expect(receive(JSON.stringify(body))).rejects.toMatchObject({ code });
  });

  it.each([
    { why: 'an empty body', body: '' },
    { why: 'a body that is not JSON', body: 'event=verification.completed' },
    { why: 'truncated JSON', body: JSON.stringify(eventBody()).slice(0, -1) },
    {
      why: 'invalid UTF-8',
      body: Buffer.from(JSON.stringify(eventBody({ tenantId: 'ü' })), 'latin1'),
    },
  ])('($why)', async ({ body }) => {
    const call = receive(body);
    await expect(call).rejects.toMatchObject({ code: 'payload_invalid' });
    await expect(call).rejects.toThrow(/^Cannot verify the webhook: the signature is valid, but /);
  });
});
