import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findCodeBlocks } from '../support/code-blocks.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The files of the projects that the page contains. `npm run consumers` builds and runs them. */
const FILES = [
  'next/app/age-check/route.ts',
  'sveltekit/src/env.ts',
  'sveltekit/src/routes/age-check/+server.ts',
  'sveltekit/src/routes/webhooks/ofage/+server.ts',
  'sveltekit/src/routes/+page.svelte',
  'nuxt/server/routes/age-check.post.ts',
  'nuxt/server/routes/webhooks/ofage.ts',
  'nuxt/app/app.vue',
];

it('the guide for frameworks contains only files of the projects, unchanged', () => {
  const blocks = findCodeBlocks(read('docs/guides/frameworks.md')).map(({ code }) => code);
  expect(blocks).toEqual(FILES.map((file) => read(`test/consumers/nightly/${file}`)));
});
