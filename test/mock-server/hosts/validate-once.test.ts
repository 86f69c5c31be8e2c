import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';

const AT_ONCE = 50;
const SESSIONS = 10;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ofage-once-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['in memory', () => undefined],
  ['in a file', () => join(folder, 'state.sqlite')],
])(
  `exactly one of ${AT_ONCE} parallel calls to validate consumes the session, with state %s`,
  async (_where, toData) => {
    const server = await startMockServer({ port: 0, data: toData() });
    try {
      await server.control.updateTenant(server.tenantId, { rateLimits: { validate: 1_000_000 } });
      for (let round = 0; round < SESSIONS; round += 1) {
        const created = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
          returnUrl: 'http://localhost/',
        });
        const { sessionId } = created.body;
        await server.control.settle(sessionId, 'verified');
        const answers = await Promise.all(
          Array.from({ length: AT_ONCE }, () =>
            postJson(`${server.apiBase}/sessions/validate`, server.secretKey, { sessionId }),
          ),
        );
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        const refused = answers.filter(
          ({ status, body }) => status === 400 && body.message === 'Session has already been used',
        );
        expect(refused).toHaveLength(AT_ONCE - 1);
      }
    } finally {
      await server.close();
    }
  },
);
