import { format, resolveConfig } from 'prettier';
import { SCENARIOS } from 'ofage/mock';
import { describe, expect, it } from 'vitest';

const EVENTS: Readonly<Record<(typeof SCENARIOS)[number]['outcome'], string>> = {
  verified: '`verification.completed`',
  failed: '`verification.failed`',
  cancelled: '`verification.cancelled`',
  expired: '`session.timeout`',
  pending: 'none before `session.timeout`',
};

const rows = SCENARIOS.map(
  ({ name, description, outcome, reason, needsFaceMatch }) =>
    `| \`${name}\` | ${description}${needsFaceMatch ? ' (only where face match is on)' : ''} | ${outcome === 'pending' ? 'pending, later expired' : outcome} | ${reason === null ? '' : `\`${reason}\``} | ${EVENTS[outcome]} |`,
);

const PAGE = `# Scenarios

A scenario is a named outcome of a session. With the mock, you choose which scenario happens. The last column is the webhook that the service sends when the session ends. The service also sends \`session.started\` when it creates a session. \`L2\` is the mode in which the shopper always shows a document, and face match compares a selfie with it: see [the steps of a shopper](hosted-page.md#the-steps-of-a-shopper).

| name | what happens | status afterwards | reason | webhook |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Four ways to choose one

**On the hosted page.** If the account is in sandbox mode, which is the default, the page shows a list of outcomes, unless the \`externalUserId\` or the queue has already chosen one (see below).

**By name, when the session is created.** An \`externalUserId\` that starts with \`ofage_test:\` and a name selects that scenario. After another colon, any text can follow. An unknown name selects nothing. This works with both kinds of keys, also from the browser, and needs no setup. The SDK must [call the mock](running-the-mock.md#your-shop-against-it), because production ignores such names:

\`\`\`ts
import { createTestOfAge } from 'ofage/testing';

const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
const ofAge = new OfAge({
  apiKey: 'pk_from_the_env_block', // the publishable key that the mock prints
  returnUrl: 'http://localhost:3000/return',
});
void ofAge.verify({ externalUserId: 'ofage_test:${SCENARIOS[2].name}:anna' });
\`\`\`

**In advance, for the next sessions.** Each account has a queue. Each session that is created takes the first scenario of the queue. Fill the queue in process, or over HTTP with the [control API](control-api.md#steer):

\`\`\`ts
import { createMockService } from 'ofage/mock';

const service = createMockService();
const { tenantId } = await service.ready;
await service.control.queueNextOutcomes(tenantId, ['${SCENARIOS[3].name}', '${SCENARIOS[0].name}']);
\`\`\`

**Immediately, without a browser.** Call \`service.control.settle(sessionId, '${SCENARIOS[1].name}')\`, or use HTTP. Replace \`SESSION\` with the ID of the session:

\`\`\`sh
curl -X POST -H 'content-type: application/json' -d '{"outcome":"${SCENARIOS[1].name}"}' \\
  http://127.0.0.1:4010/control/v1/sessions/SESSION/outcome
\`\`\`

A scenario that the \`externalUserId\` or the queue has chosen takes effect when the shopper takes the pictures on the hosted page. In a test that does not use that page, call \`settle\`. If the \`externalUserId\` names a scenario, the session gets that one, and the queue keeps all its entries. A session that has ended or expired cannot change: \`settle\` is then refused with 409.

\`failed_face_mismatch\` is not possible in a session without face match. If the \`externalUserId\` or the queue chooses it for such a session, the session is not created: the response has status 400 and says whether the \`externalUserId\` or the queue requested the scenario. The queue keeps the scenario until a session with face match uses it, or until you empty the whole queue with \`service.control.clearNextOutcomes(tenantId)\`. \`settle\` is refused with 409.

<!-- Generated from the catalogue in mock-server/api/scenarios.ts by test/docs/scenarios.test.ts. Run the test with -u after a change. -->
`;

describe('docs/guides/scenarios.md', () => {
  it('is generated from the scenario catalogue', async () => {
    const config = await resolveConfig('docs/guides/scenarios.md');
    const page = await format(PAGE, { ...config, parser: 'markdown' });
    await expect(page).toMatchFileSnapshot('../../docs/guides/scenarios.md');
  });
});
