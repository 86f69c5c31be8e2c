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
  it.each(events)(
    'returns the known fields of $event, with the user if it has one',
    async (sent) => {
      const { data } = sent as unknown as { data: object };
      expect(await receive(JSON.stringify(sent))).toEqual(sent);
      const withUser = { ...sent, data: { ...data, externalUserId: 'user-42' } };
      const more = { ...withUser, added: [1], data: { ...withUser.data, added: { deep: 1 } } };
      expect(await receive(JSON.stringify(more))).toEqual(withUser);
    },
  );

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

const REFUSED: [why: string, body: unknown, code?: string][] = [
  ['an array', []],
  ['null', null],
  ['no event', eventBody({ event: undefined })],
  ['no data', { ...eventBody(), data: undefined }],
  ['data is an array', { ...eventBody(), data: [] }],
  ['test is a string', eventBody({ test: 'false' })],
  ['test is missing', eventBody({ test: undefined })],
  ['tenantId is empty', eventBody({ tenantId: '' })],
  ['eventId is empty, which would make all events duplicates', eventBody({ eventId: '' })],
  ['eventId is a number', eventBody({ eventId: 7 })],
  ['timestamp is a number', eventBody({ timestamp: 1767323105678 })],
  ['a date that does not exist', eventBody({ timestamp: '2026-13-02T03:05:05Z' })],
  ['no session', eventBody({}, { sessionId: undefined })],
  ['an unknown mode', eventBody({}, { verificationMode: 'L3' })],
  ['an age that is a string', eventBody({}, { challengeAge: '25' })],
  ['a user that is a number', eventBody({}, { externalUserId: 42 })],
  ['completed with verified false', eventBody({}, { verified: false })],
  ['completed with verified as a string', eventBody({}, { verified: 'true' })],
  ['failed with verified true', failed({ verified: true })],
  ['failed without a reason', failed({ reason: undefined })],
  [
    'cancelled with the reason of another event',
    eventBody({ event: 'verification.cancelled' }, { verified: false, reason: 'age_not_met' }),
  ],
  ['a timeout without its deadline', eventBody({ event: 'session.timeout' })],
  ['an event of a future version', eventBody({ event: 'session.moved' }), 'event_unknown'],
  ['one with other fields', { event: 'session.moved', eventId: 7 }, 'event_unknown'],
  ['capitals in the event', eventBody({ event: 'Verification.Completed' }), 'event_unknown'],
  ['the name of an inherited property', eventBody({ event: 'constructor' }), 'event_unknown'],
];

describe('verifyWebhook() rejects a signed body that is not a known, valid event', () => {
  it.each(REFUSED)('(%s)', async (_, body, code = 'payload_invalid') => {
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
