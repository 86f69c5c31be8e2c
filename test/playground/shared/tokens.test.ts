/** Every colour is a named token with one value per theme. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../playground/', import.meta.url));
const TOKENS = 'shared/tokens.css';
const read = (path: string): string =>
  readFileSync(root + path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
const stylesheets = globSync('**/*.css', { cwd: root });
const declared = (css: string): string[] => css.match(/--[\w-]+(?=:)/g) ?? [];

it('only tokens.css contains colour values', () => {
  const others = stylesheets.filter((path) => path !== TOKENS);
  expect(others.length).toBeGreaterThan(8);
  const colours = others.flatMap((path) =>
    [...read(path).matchAll(/[:\s(,](#[\da-f]{3,8}|(?:rgb|hsl|light-dark)\(.*)/gi)].map(
      ([, colour]) => `${path}: ${colour}`,
    ),
  );
  expect(colours).toEqual([]);
});

it('each theme declares a token at most once, and only tokens of the root theme', () => {
  const themes = read(TOKENS)
    .split('}')
    .map((theme) => declared(theme))
    .filter((names) => names.length > 0);
  expect(themes).toHaveLength(3);
  for (const names of themes) expect(names).toEqual([...new Set(names)]);
  const [all = [], ...others] = themes;
  expect(others.flat().filter((name) => !all.includes(name))).toEqual([]);
});

it('every used token is declared, and every declared token is used', () => {
  const css = stylesheets.map((path) => read(path));
  const used = new Set(css.flatMap((text) => text.match(/(?<=var\()--[\w-]+/g) ?? []));
  const everything = new Set(css.flatMap((text) => declared(text)));
  expect([...used].filter((name) => !everything.has(name))).toEqual([]);
  expect(declared(read(TOKENS)).filter((name) => !used.has(name))).toEqual([]);
});
