/** Compares the imports of the whole repository with the table of rooms in docs/architecture.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** The section with the tables. */
const [SECTION = ''] = /^## The rooms$[^]*?(?=^## )/m.exec(read('docs/architecture.md')) ?? [];

/** The cell of a room that may import every room below it. */
const ALL_BELOW = 'all below';

/** A row of the tables. */
interface Row {
  /**
   * `playground/shop/` has all files of the folder that are in no other room, `mock-server/*` only the files
   * directly in it. Any other name is one file.
   */
  readonly name: string;
  /** The names of the rooms that it may import. */
  readonly cell: string;
}

const ROWS: readonly Row[] = Array.from(
  SECTION.matchAll(/^\| `([^`|]+)` +\| [^|]+ \| ([^|]*?) +\|$/gm),
  ([, name = '', cell = '']) => ({ name, cell }),
);
const NAMES = ROWS.map(({ name }) => name);

/** The names of the rooms that each room may import. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.map(({ name, cell }, index) => [
    name,
    cell === ALL_BELOW
      ? NAMES.slice(index + 1)
      : Array.from(cell.matchAll(/`([^`]+)`/g), ([, one = '']) => one),
  ]),
);

function includes(name: string, file: string): boolean {
  if (name.endsWith('/')) return file.startsWith(name);
  if (name.endsWith('/*')) return posix.dirname(file) === name.slice(0, -2);
  return file === name;
}

/** Returns the name of the innermost room with this file. */
const roomOf = (file: string): string | undefined =>
  NAMES.filter((name) => includes(name, file)).toSorted((a, b) => b.length - a.length)[0];

/** The public entries of both packages, by the name that others import. */
const ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries<readonly string[]>(
    JSON.parse(read('test/tsconfig.json')).compilerOptions.paths,
  ).map(([name, [path = '']]) => [name, posix.join('test', path)]),
);

/** Returns the path of the file that an import names. Undefined if it is not in this repository. */
const resolve = (file: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : ENTRIES.get(specifier);

/** Returns what a file imports or exports again, values and types, also later by `import()`. */
function readSpecifiers(file: string): string[] {
  const kind = /\.[jt]sx?$/.test(file) ? undefined : ts.ScriptKind.JS;
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, false, kind);
  const found: string[] = [];
  const add = (node: ts.Node | undefined): void => {
    if (node && ts.isStringLiteralLike(node)) found.push(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const SOURCE = /\.(ts|tsx|mts|cts|js|mjs)$/;
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => SOURCE.test(file) && existsSync(new URL(file, ROOT)));

/** The imports from one room into another. */
const IMPORTS = FILES.flatMap((file) =>
  readSpecifiers(file)
    .map((specifier) => resolve(file, specifier))
    .filter((target) => target !== undefined)
    .map((target) => ({ file, target, from: roomOf(file) ?? '', to: roomOf(target) ?? '' })),
).filter(({ from, to }) => from === '' || from !== to);

describe('the rooms of the repository', () => {
  it('have every source file', () => {
    expect(FILES.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('import only what the tables allow', () => {
    const forbidden = IMPORTS.filter(({ from, to }) => !ALLOWED.get(from)?.includes(to));
    expect(forbidden.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('are allowed only what they import', () => {
    const used = new Set(IMPORTS.map(({ from, to }) => `${from} > ${to}`));
    const unused = ROWS.filter(({ cell }) => cell !== ALL_BELOW)
      .flatMap(({ name }) => (ALLOWED.get(name) ?? []).map((one) => `${name} > ${one}`))
      .filter((arrow) => !used.has(arrow));
    expect(unused).toEqual([]);
  });

  it('are in an order in which each imports only rooms below it', () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    const upward = NAMES.flatMap((name, index) =>
      (ALLOWED.get(name) ?? [])
        .filter((one) => !NAMES.slice(index + 1).includes(one))
        .map((one) => `${name} > ${one}`),
    );
    expect(upward).toEqual([]);
  });
});
