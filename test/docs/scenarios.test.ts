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
    `| \`${name}\` | ${description}${needsFaceMatch ? ' (only where face match is on)' : ''} | ${outcome} | ${reason === null ? '' : `\`${reason}\``} | ${EVENTS[outcome]} |`,
);

const PAGE = `# Scenarios

Generated from the catalogue in \`ofage/mock\` by \`test/docs/scenarios.test.ts\`. Run the test with \`-u\` after a change.

Every possible outcome of a session has a name. Every session also sends \`session.started\` when it is created.

| name | what happens | final status | reason | webhook |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Four ways to choose one

**On the hosted page.** In sandbox mode it shows a list of outcomes.

**By name, from the browser.** An \`externalUserId\` that starts with \`ofage_test:\` selects the scenario. The text after the next colon can be anything. This works with a publishable key and needs no setup.

\`\`\`ts
import { OfAge } from 'ofage';

const ofAge = new OfAge({ apiKey: 'pk_test', returnUrl: 'http://localhost:3000/return' });
void ofAge.verify({ externalUserId: 'ofage_test:${SCENARIOS[2].name}:anna' });
\`\`\`

**In advance, for the next sessions.** A queue for one account:

\`\`\`ts
import { createMockService } from 'ofage/mock';

const service = createMockService();
const { tenantId } = await service.ready;
await service.control.queueNextOutcomes(tenantId, ['${SCENARIOS[3].name}', '${SCENARIOS[0].name}']);
\`\`\`

**Immediately, without a browser.** \`control.settle(sessionId, '${SCENARIOS[1].name}')\`, or over HTTP:

\`\`\`sh
curl -X POST -H 'content-type: application/json' -d '{"outcome":"${SCENARIOS[1].name}"}' \\
  http://127.0.0.1:4010/control/v1/sessions/SESSION/outcome
\`\`\`

A scenario that was selected in advance takes effect when the shopper submits an image on the hosted page. A name in the \`externalUserId\` takes precedence over the queue and does not consume an entry. A session that has ended does not change: setting another scenario is refused with 409, even if the session has expired.

A scenario that needs face match is not possible in a session without it. Such a session is not created. The response has status 400 and says whether the \`externalUserId\` or the queue requested the scenario. The queue keeps the scenario until a session with face match uses it or \`clearNextOutcomes\` removes it.
`;

describe('docs/guides/scenarios.md', () => {
  it('is generated from the scenario catalogue', async () => {
    const config = await resolveConfig('docs/guides/scenarios.md');
    const page = await format(PAGE, { ...config, parser: 'markdown' });
    await expect(page).toMatchFileSnapshot('../../docs/guides/scenarios.md');
  });
});
