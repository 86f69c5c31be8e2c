/** Compiles the variants of the code blocks that the text of a guide describes. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCodeBlock } from '../support/code-blocks.ts';
import { compileModules } from '../support/compile.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMPONENTS = 'docs/guides/react-vue-svelte.md';
const FRAMEWORKS = 'docs/guides/frameworks.md';
const WEBHOOKS = 'docs/guides/webhooks.md';
const BROWSER_TESTS = 'docs/guides/browser-tests.md';

/** Replaces a text that the code contains. */
function replace(code: string, from: string, to: string): string {
  expect(code).toContain(from);
  return code.replaceAll(from, to);
}

const inSvelteKit2 = (part: string, names: readonly string[]): string => {
  const code = readCodeBlock(FRAMEWORKS, 'ts', '$app/env/private', part);
  const [importLine = ''] = /^import .*'\$app\/env\/private';\n/m.exec(code) ?? [];
  const rest = names.reduce(
    (text, name) => replace(text, name, `env.${name}`),
    replace(code, importLine, ''),
  );
  return `import { env } from '$env/dynamic/private';\n${rest}`;
};

const inPlaywright = (statements: string): string => `
import { expect, test as base } from '@playwright/test';
import { playwrightFixtures, type OfAgeTestArgs, type OfAgeWorkerArgs } from 'ofage-mock/testing';
const test = base.extend<OfAgeTestArgs, OfAgeWorkerArgs>(
  playwrightFixtures({ baseUrl: 'http://127.0.0.1:4010' }),
);
test.use({ serviceWorkers: 'block' });
test('a variant', async ({ page, context, ofage }) => {
  await ofage.intercept(page);
  await ofage.intercept(context);
  ${statements}
  expect(ofage.tenantId).not.toBe('');
});`;

interface Variant {
  readonly page: string;
  /** The sentence that describes the variant. The test fails if it changes. */
  readonly says: string;
  /** The modules of the variant, by their paths. */
  readonly files: () => Readonly<Record<string, string>>;
}

const VARIANTS: readonly Variant[] = [
  {
    page: COMPONENTS,
    says: 'A server that renders the page at `returnUrl` reads the parameters with `handleReturn(request.url)`.',
    files: () => ({
      'server.ts': `import { handleReturn } from 'ofage';
        export const GET = (request: Request) => handleReturn(request.url)?.sessionId;`,
    }),
  },
  {
    page: FRAMEWORKS,
    says: 'With SvelteKit 2, leave this file out, import `env` from `$env/dynamic/private`, and write `env.OFAGE_SECRET_KEY`.',
    files: () => ({
      'age-check.ts': inSvelteKit2('createClient', ['OFAGE_SECRET_KEY', 'OFAGE_API_BASE']),
      'webhooks.ts': inSvelteKit2('createWebhookHandler', ['OFAGE_WEBHOOK_SECRET']),
    }),
  },
  {
    page: 'docs/guides/server.md',
    says: "Pass it as `resultStore: createSqliteResultStore('results.sqlite')`.",
    files: () => ({
      'store.ts': readCodeBlock('docs/guides/server.md', 'ts', 'createSqliteResultStore'),
      'client.ts': `import { createClient } from 'ofage/server';
        import { createSqliteResultStore } from './store';
        export const client = createClient({
          secretKey: () => '',
          resultStore: createSqliteResultStore('results.sqlite'),
        });`,
    }),
  },
  {
    page: WEBHOOKS,
    says: "Pass it as `store: createSqliteWebhookStore('webhooks.sqlite')`.",
    files: () => ({
      'store.ts': readCodeBlock(WEBHOOKS, 'ts', 'createSqliteWebhookStore'),
      'handler.ts': `import { createWebhookHandler } from 'ofage/server';
        import { createSqliteWebhookStore } from './store';
        export const webhooks = createWebhookHandler({
          secret: () => '',
          store: createSqliteWebhookStore('webhooks.sqlite'),
          onEvent: ({ event }) => console.log(event),
        });`,
    }),
  },
  {
    page: WEBHOOKS,
    says: 'Let your server accept both: `secret: () => [next, current]`.',
    files: () => ({
      'handler.ts': `import { createWebhookHandler } from 'ofage/server';
        const [next, current] = ['whsec_next', 'whsec_current'];
        export const webhooks = createWebhookHandler({
          secret: () => [next, current],
          onEvent: ({ event }) => console.log(event),
        });`,
    }),
  },
  {
    page: BROWSER_TESTS,
    says: "call `ofage.control.updateTenant(ofage.tenantId, { allowedDomains: ['shop.example'] })`",
    files: () => ({
      'test.ts': inPlaywright(
        `await ofage.control.updateTenant(ofage.tenantId, { allowedDomains: ['shop.example'] });`,
      ),
    }),
  },
  {
    page: BROWSER_TESTS,
    says: "write `test.use({ serviceWorkers: 'block' })` there",
    files: () => ({ 'test.ts': inPlaywright('') }),
  },
  {
    page: BROWSER_TESTS,
    says: "write `playwrightFixtures({ baseUrl: 'http://127.0.0.1:4010' })`",
    files: () => ({ 'test.ts': inPlaywright('') }),
  },
];

const modules = VARIANTS.flatMap(({ files }, n) =>
  Object.entries(files()).map(([path, code]) => [`docs/variant-${n}/${path}`, code] as const),
);
const problems = compileModules(new Map(modules), {
  ambient: globSync('test/docs/*.d.ts', { cwd: ROOT }).map((file) => join(ROOT, file)),
});

it.each(VARIANTS.map((variant, n) => ({ ...variant, n })))(
  '$page says "$says", and the result compiles',
  ({ page, says, n }) => {
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain(says);
    const found = [...problems].filter(([path]) => path.startsWith(`docs/variant-${n}/`));
    expect(found.flatMap(([, messages]) => messages)).toEqual([]);
  },
);
