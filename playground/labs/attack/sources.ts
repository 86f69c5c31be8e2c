import { type Excerpt, takeExcerpt } from './excerpt.ts';

/** The source files of the two shops that the attacks run against. */
const SOURCES = import.meta.glob<string>(
  ['../../shop/server/{app,verification,webhooks}.ts', '../server/careless-shop.ts'],
  { query: '?raw', import: 'default', eager: true },
);

export function codeOf(excerpt: Excerpt): string {
  const folder = excerpt.file === 'careless-shop.ts' ? '../server' : '../../shop/server';
  return takeExcerpt(SOURCES[`${folder}/${excerpt.file}`] ?? '', excerpt) ?? '';
}
