/** The drawing of a check, from what a real service has stored. */
import type { WebhookResult } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { toMermaid } from '../../../playground/console/drawing/mermaid.ts';
import { type Message, toMessages } from '../../../playground/console/drawing/messages.ts';
import { toReportEntry } from '../../../playground/console/timeline/to-entries.ts';
import { aMock, answered, HOOK, type Mock } from '../../support/a-mock.ts';
import { aReport, sendReports } from '../../support/reports.ts';

const MINUTE = 60_000;

async function draw({ control, clock }: Mock, sessionId: string): Promise<Message[]> {
  const filter = { sessionId };
  return toMessages(
    {
      session: await control.session(sessionId),
      requests: await control.requests(filter),
      events: await control.events(filter),
      deliveries: await control.deliveries(filter),
      reports: await control.reports(filter),
    },
    (await clock.now()).getTime(),
  );
}

const lines = (messages: readonly Message[]): string[] =>
  messages.map(({ from, to, text }) => `${from} > ${to}: ${text}`);

const missing = (messages: readonly Message[]): string[] =>
  lines(messages.filter(({ isMissing }) => isMissing));

/** A check that a page began and the shopper passed. The server has not asked yet. */
async function aPass(mock: Mock): Promise<string> {
  const { sessionId, verifyUrl } = (
    await mock.request('/api/v1/sessions/create', {
      key: mock.publishableKey,
      headers: { origin: 'http://localhost:3000' },
      body: { returnUrl: 'http://localhost:3000/return' },
    })
  ).body;
  const token = new URL(verifyUrl).searchParams.get('token') ?? '';
  await mock.hosted('session', token);
  await mock.control.settle(sessionId, 'verified');
  return sessionId;
}

describe('the drawing', () => {
  it('has calls of the page, requests and webhooks between their lanes', async () => {
    const mock = await aMock();
    await mock.control.createEndpoint(mock.tenantId, {
      url: HOOK,
      events: ['verification.completed'],
    });
    const sessionId = await aPass(mock);
    await sendReports(mock, {
      key: mock.publishableKey,
      reports: [
        aReport('page.shown', { attemptId: 'a', sessionId, ageMs: 5_000 }),
        aReport('verify.called', { attemptId: 'a', sessionId, ageMs: 4_000 }),
        aReport('window.opened', {
          attemptId: 'a',
          sessionId,
          ageMs: 3_000,
          facts: { isOpen: true },
        }),
        aReport('message.received', {
          attemptId: 'a',
          sessionId,
          facts: { type: 'ofage:verification:complete', hasEffect: true },
        }),
      ],
    });
    await mock.clock.advance(MINUTE);
    await mock.api('validate', mock.secretKey, { sessionId });
    const messages = await draw(mock, sessionId);
    expect(lines(messages).toSorted()).toEqual(
      [
        'page > page: verify() called',
        'page > hosted: Window opened',
        'page > service: POST create → 201',
        'hosted > page: Message accepted: ofage:verification:complete',
        'service > webhook: verification.completed → 204',
        'server > service: POST validate → 200',
      ].toSorted(),
    );
    expect(messages.at(0)?.text).toBe('verify() called');
    expect(messages.at(-1)?.text).toBe('POST validate → 200');
  });

  it('keeps the order of calls at one instant of a frozen clock', async () => {
    const mock = await aMock();
    const { sessionId } = await mock.create();
    await mock.control.settle(sessionId, 'verified');
    await mock.api('validate', mock.secretKey, { sessionId });
    await mock.api('validate', mock.secretKey, { sessionId });
    expect(lines(await draw(mock, sessionId)).filter((line) => line.startsWith('server'))).toEqual([
      'server > service: POST create → 201',
      'server > service: POST validate → 200',
      'server > service: POST validate → 400',
    ]);
  });
});

describe('the tone of a report', () => {
  it.each([
    { kind: 'sdk.refused', facts: { code: 'invalid_option' }, tone: 'bad' },
    { kind: 'verify.rejected', facts: { code: 'network' }, tone: 'bad' },
    { kind: 'window.opened', facts: { isOpen: false }, tone: 'bad' },
    { kind: 'window.opened', facts: { isOpen: true }, tone: 'neutral' },
    { kind: 'verify.called', facts: { isInClick: false }, tone: 'warn' },
    { kind: 'verify.called', facts: { isInClick: true }, tone: 'neutral' },
    { kind: 'warning.written', facts: { message: 'Check this' }, tone: 'warn' },
    { kind: 'message.received', facts: { type: 'ofage:x', hasEffect: false }, tone: 'warn' },
    { kind: 'verify.resolved', facts: { status: 'verified' }, tone: 'good' },
    { kind: 'verify.resolved', facts: { status: 'cancelled' }, tone: 'neutral' },
    { kind: 'return.read', facts: { status: 'verified' }, tone: 'neutral' },
  ] as const)('is $tone for $kind $facts, also in the timeline', async ({ kind, facts, tone }) => {
    const mock = await aMock();
    const sessionId = await aPass(mock);
    await sendReports(mock, {
      key: mock.publishableKey,
      reports: [aReport(kind, { attemptId: 'a', sessionId, facts })],
    });
    const [report] = await mock.control.reports({ sessionId });
    expect(report).toMatchObject({ kind });
    const drawn = (await draw(mock, sessionId)).find(({ id }) => id === `report:${report!.id}`);
    expect(drawn?.tone).toBe(tone);
    expect(toReportEntry(report!).tone).toBe(tone);
  });
});

describe('what is missing', () => {
  it('is a result that the server has not asked for, until it has', async () => {
    const mock = await aMock();
    await mock.control.createEndpoint(mock.tenantId, { url: HOOK });
    const sessionId = await aPass(mock);
    await mock.clock.advance(1_000);
    expect(missing(await draw(mock, sessionId))).toEqual([
      'server > service: Your server has not asked for the result',
    ]);
    await mock.api('validate', mock.secretKey, { sessionId });
    expect(missing(await draw(mock, sessionId))).toEqual([]);
  });

  it('is named as too late after the session has expired', async () => {
    const mock = await aMock();
    await mock.control.createEndpoint(mock.tenantId, { url: HOOK });
    const sessionId = await aPass(mock);
    await mock.clock.advance(11 * MINUTE);
    expect(missing(await draw(mock, sessionId))).toEqual([
      'server > service: Your server has not asked for the result, and now it is too late',
    ]);
  });

  it.each(['failed_age_not_met', 'cancelled'] as const)(
    'is not a result of %s, which opens nothing',
    async (scenario) => {
      const mock = await aMock();
      await mock.control.createEndpoint(mock.tenantId, { url: HOOK });
      const { sessionId } = await mock.create();
      await mock.control.settle(sessionId, scenario);
      await mock.clock.advance(1_000);
      expect(missing(await draw(mock, sessionId))).toEqual([]);
    },
  );

  it('is the rest of the time of a shopper who has not finished', async () => {
    const mock = await aMock();
    const { sessionId } = await mock.create();
    await mock.clock.advance(3 * MINUTE);
    expect(missing(await draw(mock, sessionId))).toEqual([
      'hosted > service: The shopper has not finished, 7 min left',
    ]);
    await mock.clock.advance(7 * MINUTE);
    const messages = await draw(mock, sessionId);
    expect(lines(messages)).toContain('service > service: Session expired');
    expect(missing(messages)).toEqual([
      'service > webhook: No webhook: no endpoint wants this event',
    ]);
  });

  it('is the next attempt of a refused webhook, and its end', async () => {
    const mock = await aMock({ answer: () => answered(401) });
    await mock.control.createEndpoint(mock.tenantId, {
      url: HOOK,
      events: ['verification.completed'],
    });
    const sessionId = await aPass(mock);
    await mock.api('validate', mock.secretKey, { sessionId });
    await mock.clock.advance(0);
    const messages = await draw(mock, sessionId);
    expect(lines(messages)).toContainEqual(
      expect.stringContaining('service > webhook: verification.completed → 401'),
    );
    expect(missing(messages)).toEqual([
      expect.stringMatching(/^service > webhook: verification\.completed: next try in \d+ (s|min)/),
    ]);
    await mock.clock.advance(48 * 60 * MINUTE);
    expect(missing(await draw(mock, sessionId))).toEqual([
      expect.stringContaining('verification.completed not delivered'),
    ]);
  });
});

describe('a webhook that the server refused', () => {
  const SECRET = 'whsec_of_the_shop';
  const signed = "Your server refused it: is the signature checked with this endpoint's secret?";
  const unsigned =
    'Your server refused it: this endpoint has no secret, so the webhook is not signed';

  it.each([
    { status: 401, secret: SECRET, explanation: signed },
    { status: 403, secret: SECRET, explanation: signed },
    { status: 401, secret: null, explanation: unsigned },
    { status: 403, secret: null, explanation: unsigned },
    { status: 400, secret: SECRET, explanation: null },
    { status: 500, secret: SECRET, explanation: null },
    { status: 204, secret: SECRET, explanation: null },
  ])(
    'with $status and the secret $secret is explained, with its endpoint',
    async ({ status, secret, explanation }) => {
      const mock = await aMock({ answer: () => answered(status) });
      const { id } = await mock.control.createEndpoint(mock.tenantId, {
        url: HOOK,
        secret,
        events: ['session.started'],
      });
      const { sessionId } = await mock.create();
      await mock.clock.advance(0);
      const messages = await draw(mock, sessionId);
      const attempt = messages.find(({ text }) => text.startsWith('session.started →'));
      expect(attempt?.text).toBe(
        `session.started → ${status}${explanation === null ? '' : `. ${explanation}`}`,
      );
      expect(attempt?.endpointId).toBe(explanation === null ? null : id);
      expect(toMermaid(messages)).toContain(`session.started → ${status}`);
    },
  );

  it('by an injected fault is said to be one, and is not explained', async () => {
    const mock = await aMock();
    await mock.control.createEndpoint(mock.tenantId, {
      url: HOOK,
      secret: SECRET,
      events: ['session.started'],
    });
    await mock.control.addFault({ operation: 'webhook', fault: '401' });
    const { sessionId } = await mock.create();
    await mock.clock.advance(0);
    expect(lines(await draw(mock, sessionId))).toContain(
      'service > webhook: session.started → 401, fault 401',
    );
  });

  it('and is not sent again, stands at the time of its end', async () => {
    const mock = await aMock({ answer: () => answered(401) });
    await mock.control.createEndpoint(mock.tenantId, {
      url: HOOK,
      secret: SECRET,
      events: ['session.started'],
    });
    const sessionId = await aPass(mock);
    await mock.clock.advance(MINUTE);
    await mock.api('validate', mock.secretKey, { sessionId });
    const messages = await draw(mock, sessionId);
    const end = messages.find(({ text }) => text.startsWith('session.started not delivered'));
    expect(end).toMatchObject({ isMissing: true, atMs: expect.any(Number) });
    const texts = messages.map(({ text }) => text);
    const at = (start: string): number => texts.findIndex((text) => text.startsWith(start));
    expect(at('session.started →')).toBeLessThan(at('session.started not delivered'));
    expect(at('session.started not delivered')).toBeLessThan(at('POST validate'));
  });
});

describe('the next attempt of a webhook', () => {
  async function aLane(answer: WebhookResult): Promise<Mock> {
    const mock = await aMock({ answer: () => answer });
    const events = ['verification.completed'] as const;
    await mock.control.createEndpoint(mock.tenantId, { url: HOOK, events: [...events] });
    return mock;
  }

  const missingWebhook = async (mock: Mock, sessionId: string): Promise<string[]> =>
    missing(await draw(mock, sessionId)).filter((line) => line.includes('webhook'));

  it('waits for its turn at an endpoint that has failed, and says why and how long', async () => {
    const mock = await aLane(answered(503));
    for (let n = 0; n < 6; n += 1) await aPass(mock);
    await mock.clock.advance(MINUTE);
    const sessionId = await aPass(mock);
    expect(await missingWebhook(mock, sessionId)).toEqual([
      expect.stringMatching(
        /verification\.completed waits: the endpoint failed before, first try in about \d+ s$/,
      ),
    ]);
  });

  it('waits as long as the server has asked for', async () => {
    const mock = await aLane(answered(503, '120'));
    await aPass(mock);
    await mock.clock.advance(0);
    const sessionId = await aPass(mock);
    expect(await missingWebhook(mock, sessionId)).toEqual([
      'service > webhook: verification.completed waits: your server asked for a pause, first try in about 2 min',
    ]);
  });

  it('is due if nothing delays it', async () => {
    const mock = await aLane(answered(204));
    const sessionId = await aPass(mock);
    expect(await missingWebhook(mock, sessionId)).toEqual([
      'service > webhook: verification.completed: first try is due',
    ]);
  });

  it('waits for the release of held webhooks', async () => {
    const there = await aLane(answered(204));
    const sessionId = await aPass(there);
    const snapshot = await there.control.snapshot();
    const mock = await aMock();
    await mock.control.loadSnapshot({ ...snapshot, webhooks: 'held' });
    expect(await missingWebhook(mock, sessionId)).toEqual([
      'service > webhook: verification.completed waits: webhooks are held until they are released',
    ]);
  });

  it('is not announced during an attempt', async () => {
    let during: string[] = [];
    const mock = await aMock({
      async answer() {
        during = lines(await draw(mock, sessionId));
        return answered(204);
      },
    });
    await mock.control.createEndpoint(mock.tenantId, {
      url: HOOK,
      events: ['verification.completed'],
    });
    const sessionId = await aPass(mock);
    await mock.clock.advance(0);
    expect(during.filter((line) => line.includes('verification.completed'))).toEqual([
      'service > webhook: verification.completed → no response yet',
    ]);
  });
});

describe('an outcome that no endpoint wants', () => {
  it.each([
    ['without an endpoint', null, true],
    ['with an endpoint for starts only', ['session.started'], true],
    ['with an endpoint for outcomes', ['verification.completed'], false],
  ] as const)('is said %s', async (_, events, isSaid) => {
    const mock = await aMock();
    if (events)
      await mock.control.createEndpoint(mock.tenantId, { url: HOOK, events: [...events] });
    const sessionId = await aPass(mock);
    await mock.clock.advance(1_000);
    const text = 'service > webhook: No webhook: no endpoint wants this event';
    expect(missing(await draw(mock, sessionId)).includes(text)).toBe(isSaid);
  });
});

describe('the text for Mermaid', () => {
  it('has one line for each message, whatever a text from outside contains', () => {
    const message: Message = {
      id: '1',
      atMs: Date.UTC(2026, 0, 1, 8, 5, 1, 20),
      from: 'page',
      to: 'service',
      text: 'a;b #c\nend\r\n<script>',
      tone: 'neutral',
      isMissing: false,
      endpointId: null,
    };
    expect(
      toMermaid([message, { ...message, atMs: null, isMissing: true, text: 'not asked' }]),
    ).toBe(
      [
        'sequenceDiagram',
        '  participant page as Your page',
        '  participant hosted as Hosted page',
        '  participant service as Service',
        '  participant server as Your server',
        '  participant webhook as Your webhook',
        '  page->>service: 08:05:01.020 a#59;b #35;c end script ',
        '  page--xservice: not asked',
      ].join('\n'),
    );
  });
});
