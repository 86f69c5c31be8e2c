import { createControlClient } from 'ofage/mock/client';
import { startMockServer, type MockServer } from 'ofage/mock/node';
import ts from 'typescript';
import { expect, it, vi } from 'vitest';
import { postJson } from '../support/api.ts';
import { readCodeBlock } from '../support/code-blocks.ts';
import { startReceiver } from '../support/receiver.ts';

/** Returns the test of the guide that asks for webhooks, changed to the mock's port. `expect.poll` of Vitest works like Playwright's. */
function readExample({ controlBase }: MockServer): (fixtures: object) => Promise<void> {
  const code = readCodeBlock('docs/guides/browser-tests.md', 'ts', 'createControlClient');
  const module = ts.transpile(
    code.replaceAll(/^import .*/gm, '').replace(/'http.*4010'/, JSON.stringify(controlBase)),
    { target: ts.ScriptTarget.ES2022 },
  );
  const test = vi.fn();
  new Function('test', 'expect', 'createControlClient', module)(test, expect, createControlClient);
  return test.mock.calls[0]?.[1];
}

it('the test of webhooks in docs/guides/browser-tests.md passes', async () => {
  const receiver = await startReceiver();
  const server = await startMockServer({ port: 0, forwardTo: receiver.url });
  const create = () =>
    postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: 'anna',
    });
  // A page of a shop whose only button starts a verification. The session is created after the click.
  const page = {
    goto: async () => {},
    getByRole: () => ({ click: async () => void setTimeout(create, 200) }),
  };
  await readExample(server)({ page });
  await server.close();
  await receiver.close();
});
