import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startMockServer } from '../../mock-server/hosts/node-server.ts';
import { type } from '../mock-server/cli/a-terminal.ts';
import { createSession } from '../support/api.ts';

const text = readFileSync(new URL('../../docs/guides/troubleshooting.md', import.meta.url), 'utf8');

it('docs/guides/troubleshooting.md shows what the command prints about a session that was never validated', async () => {
  const server = await startMockServer({ port: 0 });
  await server.clock.freeze();
  const endpoint = await server.control.createEndpoint(server.tenantId, {
    url: 'https://8.8.8.8/webhooks', // an IP address needs no DNS
    events: ['session.timeout'],
  });
  const { body } = await createSession(server, { externalUserId: 'customer-42' });
  await server.control.settle(body.sessionId, 'verified');
  await server.clock.advance(660_000);
  const env = { OFAGE_MOCK_URL: new URL(server.apiBase).origin };
  const { code, stdout } = await type(['doctor'], { env });
  await server.close();

  expect(code).toBe(1);
  const printed = stdout
    .replace(body.sessionId, '7ef89153-0486-49f3-bcd8-e07a29333549')
    .replace(body.sessionId.slice(0, 8), '7ef89153')
    // The same length, so that the lines break at the same words.
    .replace(endpoint.url, 'https://shop.example/age')
    .replace(endpoint.id, '0c5db727-c7d7-4f2b-a023-d2c10b9dc38b')
    // A command has the address only if it is not the default.
    .replaceAll(` --url ${env.OFAGE_MOCK_URL}`, '')
    .replace(env.OFAGE_MOCK_URL, 'http://127.0.0.1:4010')
    .replace(/since .* UTC/, 'since 2026-01-01 00:00:00 UTC');
  expect(text).toContain(`\`\`\`text\n${printed}\`\`\``);
});
