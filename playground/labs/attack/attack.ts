import type { AttackReport, World } from './world.ts';

/** An attack on the demo shop and on the careless shop. */
export interface Attack {
  readonly id: string;
  readonly title: string;
  /** The attacker's steps and goal. */
  readonly story: string;
  /** The reason why the demo shop withstands the attack. */
  readonly why: string;
  /** The code in which the two shops differ. */
  readonly code: { readonly shop: Excerpt; readonly careless: Excerpt };
  /** Set if the attack opens a window, which the browser allows only during a click. */
  readonly needsWindow?: true;
  readonly run: (world: World) => Promise<AttackReport>;
}

/**
 * The lines of a source file from the first one that contains `from` to the next one that contains `to`.
 * Both are included, and they may be the same line. Further lines close the brackets that are open then.
 */
export interface Excerpt {
  readonly file: 'app.ts' | 'verification.ts' | 'webhooks.ts' | 'careless-shop.ts';
  readonly from: string;
  readonly to: string;
}

/** Returns the lines without their common indentation, or null if the source does not contain them. */
export function takeExcerpt(
  source: string,
  { from, to }: Pick<Excerpt, 'from' | 'to'>,
): string | null {
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line.includes(from));
  const last = lines.findIndex((line, at) => at >= first && line.includes(to));
  if (first < 0 || last < 0) return null;
  const taken = lines.slice(first, last + 1);
  while (countOpen(taken) > 0 && first + taken.length < lines.length)
    taken.push(lines[first + taken.length] ?? '');
  const indents = taken
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return taken.map((line) => line.slice(indent)).join('\n');
}

/** Returns how many brackets of these lines are not closed. */
const countOpen = (lines: readonly string[]): number => {
  const text = lines.join('\n');
  return (text.match(/[([{]/g) ?? []).length - (text.match(/[)\]}]/g) ?? []).length;
};
