/** The page of docs/guides/script-tag.md, as printed, under the content security policy that it prints. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import { startMockServer } from 'ofage-mock/node';
import { createClient, grantsAccess } from 'ofage/server';
import {
  playwrightFixtures,
  type OfAgeTestArgs,
  type OfAgeWorkerArgs,
  type PlaywrightAccount,
} from 'ofage-mock/testing';
import { readCodeBlock } from '../support/code-blocks.ts';
import { passThrough } from './support/hosted-page.ts';

const GUIDE = 'docs/guides/script-tag.md';
const SDK = fileURLToPath(new URL('../../dist/sdk.min.js', import.meta.url));

const HTML = readCodeBlock(GUIDE, 'html', 'id="verify"');
const CODE = readCodeBlock(GUIDE, 'js', '// age-check.js');
const POLICY = readCodeBlock(GUIDE, 'text', 'Content-Security-Policy: ')
  .replace('Content-Security-Policy: ', '')
  .trim();
const CDN_TAG = /<script src="https:\/\/cdn[^>]*><\/script>/;

interface PrintedPage {
  readonly html: string;
  readonly code: string;
  readonly policy: string;
}

const PRINTED: PrintedPage = { html: HTML, code: CODE, policy: POLICY };

const test = base.extend<
  OfAgeTestArgs & { messages: string[]; exceptions: string[] },
  OfAgeWorkerArgs
>({
  ...playwrightFixtures({ startMockServer }),
  /** The exceptions that no code of the page has caught. */
  exceptions: async ({ page }, use) => {
    const exceptions: string[] = [];
    page.on('pageerror', ({ message }) => exceptions.push(message));
    await use(exceptions);
  },
  /** The warnings and errors in the console of the page. The browser prints violations of the policy there. */
  messages: async ({ page }, use) => {
    const messages: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(message.text());
    });
    await use(messages);
  },
});

const shop = createServer();
test.beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening');
});
test.afterAll(() => {
  shop.closeAllConnections();
  shop.close();
});

/** Serves the page with a server that decides, and opens it. */
async function openPage(
  page: Page,
  { html, code, policy }: PrintedPage,
  { secretKey, apiBase }: PlaywrightAccount,
): Promise<void> {
  const client = createClient({ secretKey, baseUrl: apiBase });
  shop.removeAllListeners('request').on('request', async (request, response) => {
    if (request.url === '/age-check') {
      const { sessionId } = (await json(request)) as { sessionId: string };
      const result = await client.validateOnce(sessionId);
      const access = grantsAccess(result, { externalUserId: 'customer-42' });
      response.end(JSON.stringify({ access }));
      return;
    }
    const isCode = request.url === '/age-check.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    response.setHeader('content-security-policy', policy);
    response.end(isCode ? code : `<!doctype html>${html}`);
  });
  await page.route('https://cdn.ofage.example/**', (route) =>
    route.fulfill({
      path: SDK,
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
    }),
  );
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
}

async function openCheck(page: Page): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Verify my age' }).click(),
  ]);
  await expect(popup.getByTestId('start')).toBeVisible();
  return popup;
}

test('script tag: the printed page works under the printed policy', async ({
  page,
  ofage,
  messages,
}) => {
  await ofage.intercept(page);
  await openPage(page, PRINTED, ofage);
  await passThrough(await openCheck(page), 'verified');
  await expect(page.getByRole('status')).toHaveText('Welcome');
  expect(messages).toEqual([]);
});

test('script tag: the printed page shows the code and the message of an error to developers', async ({
  page,
  ofage,
  messages,
}) => {
  await ofage.intercept(page);
  await ofage.fault({ operation: 'create', fault: '503' });
  await openPage(page, PRINTED, ofage);
  await page.getByRole('button', { name: 'Verify my age' }).click();
  await expect(page.getByRole('status')).toHaveText('That did not work. Please try again.');
  const printed = messages.find((text) => text.includes('OfAgeError: '));
  expect(printed).toContain('service_unavailable');
});

function hashOf(file: string): string {
  return `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;
}

/** The variants that the guide describes. */
const VARIANTS: Readonly<Record<string, (account: PlaywrightAccount) => PrintedPage>> = {
  // The printed hash is that of the last release, and this test serves the last build.
  'with a fixed hash': () => ({
    ...PRINTED,
    html: HTML.replace(
      CDN_TAG,
      readCodeBlock(GUIDE, 'html', 'integrity=').replace(/sha384-[^"]+/, hashOf(SDK)),
    ),
  }),
  'with its code in the page and a nonce': () => ({
    html: HTML.replace(
      '<script src="/age-check.js"></script>',
      `<script nonce="r4nd0m">${CODE}</script>`,
    ),
    code: '',
    policy: POLICY.replace('script-src', `script-src 'nonce-r4nd0m'`),
  }),
  'with the mock': ({ sdkUrl, publishableKey }) => ({
    html: HTML.replace(CDN_TAG, `<script src="${sdkUrl}"></script>`),
    code: CODE.replace('pk_your_publishable_key', publishableKey),
    policy: POLICY.replaceAll(/https:\/\/(cdn|api)\.ofage\.example/g, new URL(sdkUrl).origin),
  }),
};

for (const [name, toPage] of Object.entries(VARIANTS)) {
  test(`script tag: the printed page works ${name}`, async ({ page, ofage, messages }) => {
    if (name !== 'with the mock') await ofage.intercept(page);
    await openPage(page, toPage(ofage), ofage);
    await openCheck(page);
    expect(messages).toEqual([]);
  });
}

/** What the policy of a page allows it to connect to, and what happens to its reports. */
const CONNECTIONS = [
  { allows: 'the mock', toSource: (origin: string) => origin, access: true, isReported: true },
  {
    allows: 'only the API of the mock',
    toSource: (origin: string) => `${origin}/api/v1/`,
    access: true,
    isReported: false,
  },
  { allows: 'nothing of the mock', toSource: () => '', access: false, isReported: false },
] as const;

for (const { allows, toSource, access, isReported } of CONNECTIONS) {
  test(`script tag: a page that reports works if its policy allows ${allows}`, async ({
    page,
    ofage,
    messages,
    exceptions,
  }) => {
    const { origin } = new URL(ofage.sdkUrl);
    const printed = VARIANTS['with the mock']!(ofage);
    const policy = POLICY.replace('https://cdn.ofage.example', origin).replace(
      'https://api.ofage.example',
      toSource(origin),
    );
    await openPage(page, { ...printed, policy }, ofage);
    if (access) {
      await passThrough(await openCheck(page), 'verified');
      await expect(page.getByRole('status')).toHaveText('Welcome');
    } else {
      await page.getByRole('button', { name: 'Verify my age' }).click();
      await expect(page.getByRole('status')).toHaveText('That did not work. Please try again.');
    }
    const kinds = async (): Promise<string[]> =>
      (await ofage.control.reports({ tenantId: ofage.tenantId })).map(({ kind }) => kind);
    if (isReported) await expect.poll(kinds).toContain('verify.resolved');
    else expect(await kinds()).toEqual([]);
    expect(exceptions).toEqual([]);
    // A browser writes a line about a request that the policy refuses.
    const lines = messages.filter((text) => text.includes('/reports/v1'));
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(isReported ? 0 : 1);
  });
}
