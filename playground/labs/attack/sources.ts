import { type Excerpt, takeExcerpt } from './excerpt.ts';

/** The source files of the two shops that the attacks run against. */
const SOURCES = import.meta.glob<string>(
  '../../merchant-backend/{app,careless-shop,verification,webhooks}.ts',
  { query: '?raw', import: 'default', eager: true },
);

export function codeOf(excerpt: Excerpt): string {
  return takeExcerpt(SOURCES[`../../merchant-backend/${excerpt.file}`] ?? '', excerpt) ?? '';
}
