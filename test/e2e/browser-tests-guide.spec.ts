/** The tests of the reader's own page in docs/guides/browser-tests.md, as printed, but at another port. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { expect, test as base } from '@playwright/test';
import { startMockServer } from 'ofage-mock/node';
import { playwrightFixtures } from 'ofage-mock/testing';
import ts from 'typescript';
import { readCodeBlock } from '../support/code-blocks.ts';

const SDK = readFileSync(fileURLToPath(new URL('../../dist/sdk.min.js', import.meta.url)), 'utf8');

/** A page with the texts that the guide's tests expect. It uses the production service. */
const PAGE = `<!doctype html><button>Verify my age</button><p role="status"></p><script>${SDK}</script><script>
  const ofAge = new OfAge({
    apiKey: 'pk_live_of_the_shop', returnUrl: location.origin + '/return', mode: 'new-tab',
  });
  const show = (text) => { document.querySelector('p').textContent = text; };
  document.querySelector('button').onclick = async () => {
    try {
      const { status, sessionId } = await ofAge.verify();
      if (status === 'cancelled') return show('You closed the check');
      const response = await fetch('/age-check', { method: 'POST', body: sessionId });
      show((await response.json()).access ? 'Welcome' : 'You are too young');
    } catch { show('Please try again later'); }
  };
</script>`;

const shop = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end(PAGE);
});
base.beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening');
});
base.afterAll(() => {
  shop.closeAllConnections();
  shop.close();
});

const code = readCodeBlock('docs/guides/browser-tests.md', 'ts', 'ofage.intercept')
  .replaceAll(/^import .*/gm, '')
  .replaceAll(`'http://localhost:3000/'`, 'shopUrl()');
const parts = {
  base,
  expect,
  playwrightFixtures,
  startMockServer,
  shopUrl: () => `http://localhost:${(shop.address() as AddressInfo).port}/`,
};
const guide = compileFunction(
  ts.transpile(code, { target: ts.ScriptTarget.ES2022 }),
  Object.keys(parts),
  // Playwright asks for the file of each test.
  { filename: fileURLToPath(import.meta.url) },
);
guide(...Object.values(parts));
