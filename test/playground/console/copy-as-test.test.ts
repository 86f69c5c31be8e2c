import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createWebhookHandler } from 'ofage/server';
import { expect, it } from 'vitest';
import { toTest } from '../../../playground/console/copy-as-test.ts';
import { aShop } from '../../mock-server/doctor/a-shop.ts';
import { aFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VITEST = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
const SECRET = 'whsec_of_the_shop';

/** Runs a copied test as a developer does. Resolves with the exit code and the output of Vitest. */
async function run(code: string): Promise<{ code: number; output: string }> {
  const folder = aFolder();
  const alias = {
    'ofage-mock/testing': join(ROOT, 'mock-server/testing/index.ts'),
    'ofage-mock': join(ROOT, 'mock-server/index.ts'),
    vitest: join(VITEST, 'dist/index.js'),
  };
  writeFileSync(join(folder, 'receiver.test.js'), code);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ root: folder, resolve: { alias } })};`,
  );
  const child = spawn(process.execPath, [join(VITEST, 'vitest.mjs'), 'run'], {
    cwd: folder,
    env: { ...process.env, OFAGE_WEBHOOK_SECRET: SECRET, NO_COLOR: '1', VITEST: '' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [exitCode] = (await once(child, 'close')) as [number];
  return { code: exitCode, output };
}

/** Returns the test that the doctor's page copies for an endpoint without a secret at this address. */
async function copyTest(url: string): Promise<string> {
  const shop = await aShop({ endpoints: [{ url, secret: null }], allowLoopbackWebhooks: true });
  await shop.create();
  const finding = (await shop.doctor()).findings.find(({ code }) => code === 'webhook_unsigned')!;
  return toTest(finding)!;
}

const handler = createWebhookHandler({ secret: SECRET, onEvent: () => {}, onProblem: () => {} });

it.each([
  { receiver: 'verifies signatures', verifies: true, isUp: true, fails: null },
  {
    receiver: 'accepts everything',
    verifies: false,
    isUp: true,
    fails: 'a webhook without a signature',
  },
  { receiver: 'does not run', verifies: true, isUp: false, fails: 'a signed webhook' },
])('the copied test judges a receiver that $receiver', async ({ verifies, isUp, fails }) => {
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    const answer = await handler.handle({ method, headers, body: request });
    response.writeHead(verifies ? answer.status : 204).end();
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${isUp ? port : 9}/hooks`;
  const { code, output } = await run(await copyTest(url));
  if (fails === null) expect({ code, output }).toMatchObject({ code: 0 });
  else {
    expect(code).toBe(1);
    expect(output).toContain(`AssertionError: ${fails}: expected`);
  }
});

it('a finding that a test over HTTP cannot show has no test', async () => {
  const shop = await aShop();
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  const { findings } = await shop.doctor();
  expect(findings.map(toTest)).toEqual([null]);
});
