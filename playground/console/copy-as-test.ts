import type { DoctorCode, DoctorEvidence, DoctorFinding } from 'ofage-mock';

/** Writes a test about a finding's evidence. Returns null if the evidence lacks what the test needs. */
type WriteTest = (evidence: readonly DoctorEvidence[]) => string | null;

/** The findings that a test over HTTP can show. */
const TESTS: { readonly [Code in DoctorCode]?: WriteTest } = {
  webhook_unsigned: (evidence) => {
    const endpoint = evidence.find(({ kind }) => kind === 'endpoint');
    return endpoint ? toSignatureTest(endpoint.text) : null;
  },
  webhook_rejected: (evidence) => aboutDelivery(evidence, toAcceptTest),
  webhook_unreachable: (evidence) => aboutDelivery(evidence, toAcceptTest),
  webhook_timeout: (evidence) => aboutDelivery(evidence, toAcceptTest),
  webhook_redirected: (evidence) => aboutDelivery(evidence, toAcceptTest),
  webhook_repeated: (evidence) => aboutDelivery(evidence, toCopyTest),
  result_never_asked: (evidence) => aboutSession(evidence, toReloadTest),
  result_asked_twice: (evidence) => aboutSession(evidence, toReloadTest),
  access_not_verified: (evidence) => aboutSession(evidence, toForgeryTest),
  access_before_result: (evidence) => aboutSession(evidence, toForgeryTest),
  url_status_trusted: (evidence) => aboutSession(evidence, toForgeryTest),
};

/**
 * Returns a test with Vitest that fails as long as the finding is true of the merchant's server, or null if a
 * test over HTTP could not show it.
 */
export function toTest({
  code,
  evidence,
}: Pick<DoctorFinding, 'code' | 'evidence'>): string | null {
  return TESTS[code]?.(evidence) ?? null;
}

interface SentEvent {
  readonly event: string;
  readonly url: string;
}

function aboutDelivery(
  evidence: readonly DoctorEvidence[],
  write: (sent: SentEvent) => string,
): string | null {
  const delivery = evidence.find(({ kind }) => kind === 'delivery');
  const [, event, url] = /^(\S+) to (.+)$/.exec(delivery?.text ?? '') ?? [];
  return event === undefined || url === undefined ? null : write({ event, url });
}

function aboutSession(
  evidence: readonly DoctorEvidence[],
  write: (sessionId: string) => string,
): string | null {
  const { sessionId = null } = evidence.find((one) => one.sessionId !== null) ?? {};
  return sessionId === null ? null : write(sessionId);
}

/** The beginning of a test that sends webhooks from a mock of its own. */
const toReceiverHead = (url: string): string => `\
// Run it with Vitest while your server runs. It needs the packages ofage-mock, msw and vitest, and the
// webhook secret of your server in OFAGE_WEBHOOK_SECRET.
import { createMockService } from 'ofage-mock';
import { vitestFixtures } from 'ofage-mock/testing';
import { expect, test as base } from 'vitest';

const url = ${JSON.stringify(url)};
const options = { allowLoopbackWebhooks: true };
const test = base.extend(vitestFixtures({ createMockService, options }));
`;

const toSignatureTest = (url: string): string => `${toReceiverHead(url)}
test('the receiver accepts signed webhooks only', async ({ ofage }) => {
  const { control, clock, tenantId } = ofage;
  /** Sends one webhook, and returns the status with which the receiver responds. */
  const send = async (secret = process.env.OFAGE_WEBHOOK_SECRET ?? null) => {
    const { id: endpointId } = await control.createEndpoint(tenantId, { url, secret });
    const { id: sessionId } = await control.trigger({ name: 'verified' });
    await clock.advance(0);
    const [delivery] = await control.deliveries({ endpointId, sessionId });
    return delivery?.attempts[0]?.httpStatus;
  };
  const refusals = [400, 401, 403];
  expect([200, 202, 204], 'a signed webhook').toContain(await send());
  expect(refusals, 'a webhook without a signature').toContain(await send(null));
  expect(refusals, 'a wrong signature').toContain(await send('whsec_of_an_attacker'));
});
`;

const toAcceptTest = ({ event, url }: SentEvent): string => `${toReceiverHead(url)}
test('the receiver accepts ${event} in time and without a redirect', { timeout: 30_000 }, async ({ ofage }) => {
  const { control, clock, tenantId } = ofage;
  const secret = process.env.OFAGE_WEBHOOK_SECRET ?? null;
  const event = ${JSON.stringify(event)};
  const { id: endpointId } = await control.createEndpoint(tenantId, { url, secret, events: [event] });
  const { id: sessionId } = await control.trigger({ name: event });
  await clock.advance(0);
  const [delivery] = await control.deliveries({ endpointId, sessionId });
  expect(delivery?.attempts[0], 'the webhook').toMatchObject({ outcome: 'ok', hops: 0 });
});
`;

const toCopyTest = ({ event, url }: SentEvent): string => `${toReceiverHead(url)}
test('the receiver handles ${event} once', { timeout: 60_000 }, async ({ ofage }) => {
  const { control, clock, tenantId } = ofage;
  const secret = process.env.OFAGE_WEBHOOK_SECRET ?? null;
  const event = ${JSON.stringify(event)};
  const { id: endpointId } = await control.createEndpoint(tenantId, { url, secret, events: [event] });
  // The first response is lost, so that the receiver gets the event again.
  await control.addFault({ operation: 'webhook', fault: 'duplicate' });
  const { id: sessionId } = await control.trigger({ name: event });
  await clock.advance(60_000);
  const [delivery] = await control.deliveries({ endpointId, sessionId });
  expect(delivery?.attempts.map(({ outcome }) => outcome), 'both webhooks').toEqual(['fail', 'ok']);
  // Fill in: ask your server or its database about this session, and expect that it handled the event once.
  expect.fail(\`What must your server say now about the session \${sessionId}?\`);
});
`;

/** The beginning of a test that opens the return page of a server which uses the running mock. */
const toReturnHead = (sessionId: string): string => `\
// Run it with Vitest while ofage-mock and your server run. It needs the packages ofage-mock and vitest, and
// the address of the mock in OFAGE_API_BASE, as your server has it.
import { createControlClient } from 'ofage-mock/client';
import { expect, test } from 'vitest';

const mock = createControlClient({ baseUrl: new URL(process.env.OFAGE_API_BASE ?? 'http://127.0.0.1:4010').origin });

// The sessions of the test are like the one of the finding.
const { returnUrl, tenantId, externalUserId } = await mock.session(${JSON.stringify(sessionId)});

/** Returns the return URL of a session. It says that the shopper has passed. */
async function createReturnUrl(id = '') {
  const url = new URL(returnUrl);
  url.searchParams.set('sessionId', id);
  url.searchParams.set('status', 'verified');
  url.searchParams.set('timestamp', String((await mock.clock.now()).getTime()));
  return url;
}
`;

const toReloadTest = (sessionId: string): string => `${toReturnHead(sessionId)}
test('the server asks once for the result, also if the return page is loaded again', async () => {
  const { id } = await mock.trigger({ name: 'verified', tenantId, externalUserId });
  const url = await createReturnUrl(id);
  // If only signed-in customers may open the page, add their cookie here.
  await fetch(url);
  await fetch(url);
  const asked = await mock.requests({ sessionId: id, operation: 'validate' });
  expect(asked.map(({ status }) => status), 'calls of validate').toEqual([200]);
});
`;

const toForgeryTest = (sessionId: string): string => `${toReturnHead(sessionId)}
/** Opens the return page. Fill in: does your server give access now? */
async function givesAccess(url = new URL(returnUrl)) {
  const response = await fetch(url);
  expect.fail(\`Is this access? Return true or false. Your server said \${response.status}: \${await response.text()}\`);
}

test('only a verified session gives access, whatever the return URL says', async () => {
  const verified = await mock.trigger({ name: 'verified', tenantId, externalUserId });
  expect(await givesAccess(await createReturnUrl(verified.id)), 'a verified session').toBe(true);
  const others = [
    await mock.trigger({ name: 'failed_age_not_met', tenantId, externalUserId }),
    await mock.trigger({ name: 'cancelled', tenantId, externalUserId }),
    await mock.trigger({ name: 'never', tenantId, externalUserId }),
  ];
  for (const { id, status } of others)
    expect(await givesAccess(await createReturnUrl(id)), \`a forged return, status \${status}\`).toBe(false);
});
`;
