/** The linter of this project, with its own rule in scripts/oxlint-plugin.mjs. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aFolder } from '../support/folder.ts';
import { write } from './a-project.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Lints each statement in a file of its own, and returns it with the rules that refuse it. */
function lint(statements: readonly string[]): string[][] {
  const folder = aFolder();
  for (const [n, statement] of statements.entries())
    write(
      folder,
      `${n}.ts`,
      `export function example({ a, b, c, act, open }: Record<string, Function>): unknown {
        ${statement}
        return [a, b, c, act, open];
      }`,
    );
  const config = join(ROOT, '.oxlintrc.json');
  const args = ['--config', config, '--format', 'json', folder];
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), args, { encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { code: string; filename: string }[];
  };
  return statements.map((statement, n) => {
    const own = diagnostics.filter(({ filename }) => filename.endsWith(`/${n}.ts`));
    return [statement, ...new Set(own.map(({ code }) => code).toSorted())];
  });
}

const COMMA = 'eslint(no-sequences)';
const NESTED = 'eslint(no-nested-ternary)';
const UNUSED = 'eslint(no-unused-expressions)';
const ASSIGNMENT = 'ofage(no-assignment-in-expression)';

const STATEMENTS: readonly [statement: string, ...rules: string[]][] = [
  ['act(), open();', COMMA, UNUSED],
  ['a = (act(), b);', COMMA],
  ['a = () => (act(), b);', COMMA],
  ['a = b ? act : c ? open : b;', NESTED],
  ['a = b ? (c ? act : open) : b;', NESTED],
  ['a && act();', UNUSED],
  ['a || act();', UNUSED],
  ['a ? act() : open();', UNUSED],
  ['if ((a = act())) open();', ASSIGNMENT],
  ['while ((a = act())) open();', ASSIGNMENT],
  ['for (; (a = act()); ) open();', ASSIGNMENT],
  ['if ((a += 1) > 3) open();', ASSIGNMENT],
  ['const { name } = (a = act()); open(name);', ASSIGNMENT],
  ['a = b = act();', ASSIGNMENT],
  ['act((a = b));', ASSIGNMENT],
  ['act(`${(a += 1)}`);', ASSIGNMENT],
  ['void (a = act());', ASSIGNMENT],
  ['c = () => void (a = b);', ASSIGNMENT],
  ['c = () => (a ??= act());', ASSIGNMENT],
  ['c = async () => act(await (a = open()));', ASSIGNMENT],
  ['if (b) return (a = act());', ASSIGNMENT],
  // The plain forms are allowed.
  ['a = act();'],
  ['a ??= act();'],
  ['for (a = b; a < c; a += b) open();'],
  ['c = () => (a = b);'],
  ['void act();'],
  ['c = () => void act();'],
  ['a = b ? act : open;'],
];

it('refuses values that act and nested conditions, and allows their plain forms', () => {
  expect(lint(STATEMENTS.map(([statement]) => statement))).toEqual(STATEMENTS);
});
