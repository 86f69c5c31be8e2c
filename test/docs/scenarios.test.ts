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

Made from the catalogue in \`ofage/mock\` by \`test/docs/scenarios.test.ts\`; run it with \`-u\` after a change.

Everything that can happen to a session has a name. Every session also sends \`session.started\` when it is created.

| name | what happens | it ends as | reason | it sends |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Four ways to choose one

**On the hosted page.** In sandbox mode it shows a chooser.

**By name, from the browser.** An \`externalUserId\` that begins with \`ofage_test:\` names the scenario; what comes after the next colon is yours. It works with a publishable key and needs nothing else.

\`\`\`ts
import { OfAge } from 'ofage';

const ofAge = new OfAge({ apiKey: 'pk_test', returnUrl: 'http://localhost:3000/return' });
void ofAge.verify({ externalUserId: 'ofage_test:${SCENARIOS[2].name}:anna' });
\`\`\`

**Beforehand, for the next sessions.** One after the other, for one account:

\`\`\`ts
import { createMockService } from 'ofage/mock';

const service = createMockService();
const { tenantId } = await service.ready;
await service.control.queueNextOutcomes(tenantId, ['${SCENARIOS[3].name}', '${SCENARIOS[0].name}']);
\`\`\`

**At once, with no browser.** \`control.settle(sessionId, '${SCENARIOS[1].name}')\`, or over HTTP:

\`\`\`sh
curl -X POST -H 'content-type: application/json' -d '{"outcome":"${SCENARIOS[1].name}"}' \\
  http://127.0.0.1:4010/control/v1/sessions/SESSION/outcome
\`\`\`

A session that was told beforehand takes its scenario when the shopper hands in an image on the hosted page. A name in the \`externalUserId\` comes before the queue, and uses none of it up. A session that has ended stays as it is: another scenario for it is refused with 409, also when it has expired.

A scenario that needs face match cannot happen to a session without it. Such a session is not created: the answer is 400 and says whether the \`externalUserId\` or the queue asked for it. The queue keeps the scenario until a session with face match takes it, or \`clearNextOutcomes\` forgets it.
`;

describe('docs/guides/scenarios.md', () => {
  it('says what the catalogue says', async () => {
    const config = await resolveConfig('docs/guides/scenarios.md');
    const page = await format(PAGE, { ...config, parser: 'markdown' });
    await expect(page).toMatchFileSnapshot('../../docs/guides/scenarios.md');
  });
});
