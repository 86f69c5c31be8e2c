/** Checks the code blocks of the README, the documentation and the doc comments that no other test runs. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseHtml, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseInvocation } from '../../mock-server/cli/invocation.ts';
import { ROUTED_OPERATIONS } from '../../mock-server/service/operations/table.ts';
import { findCodeBlocks, type CodeBlock } from '../support/code-blocks.ts';
import { compileModules } from '../support/compile.ts';
import { PRINTED_FILES } from '../support/examples.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The checks of this file, by language. Each throws if the code is wrong. */
const CHECKS: Readonly<Record<string, (code: string) => void>> = {
  html: checkHtml,
  js: checkScript,
  json: JSON.parse,
  sh: checkCommands,
  yaml: parseYaml,
};

/** The languages whose blocks are compiled below. */
const COMPILED = ['ts', 'tsx'];

/**
 * The languages whose blocks other tests compile or run: signatures.test.ts and lists.test.ts. `text` is for
 * drawings, headers and output, which are not code.
 */
const ELSEWHERE = 'php python ruby go java svelte vue text'.split(' ');

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/{,guides/,decisions/}*.md', { cwd: ROOT }),
];
const blocks = pages.flatMap((page) =>
  findCodeBlocks(read(page)).map((block) => ({ page, ...block })),
);

function checkHtml(code: string): void {
  const onParseError = ({
    code: problem,
    startLine,
  }: {
    code: string;
    startLine: number;
  }): void => {
    throw new Error(`${problem} in line ${startLine}`);
  };
  const isDocument = /<!doctype/i.test(code);
  const tree = isDocument
    ? parseHtml(code, { onParseError })
    : parseFragment(code, { onParseError });
  for (const script of findScripts(tree)) checkScript(script);
}

const findScripts = (node: Tree.Node): string[] =>
  'childNodes' in node
    ? node.childNodes.flatMap((child) =>
        child.nodeName === '#text' && node.nodeName === 'script'
          ? [(child as Tree.TextNode).value]
          : findScripts(child),
      )
    : [];

function checkScript(code: string): void {
  const { diagnostics = [] } = ts.transpileModule(code, {
    fileName: 'example.js',
    reportDiagnostics: true,
  });
  const [problem] = diagnostics;
  if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
  checkControlPaths(code);
}

function checkCommands(code: string): void {
  execFileSync('bash', ['-n'], { input: code, stdio: ['pipe', 'ignore', 'pipe'] });
  for (const [command] of code.matchAll(/\bnpx ofage-mock\b[^&>#\n]*/g)) checkMockCommand(command);
  checkControlPaths(code);
}

/** Parses a command such as `npx ofage-mock doctor`, without running it. */
function checkMockCommand(command: string): void {
  const invocation = parseInvocation(command.trim().split(/\s+/).slice(2));
  if (invocation.kind === 'misuse') throw new Error(`${command}: ${invocation.message}`);
}

/** Throws if the code contains a path that the control API does not have. */
function checkControlPaths(code: string): void {
  for (const [, path = ''] of code.matchAll(/(?:\/control\/v1|\$\{control\})(\/[^\s'"`?]+)/g)) {
    const words = path.replaceAll(/\$\{[^}]*\}/g, 'id').split('/');
    const isKnown = ROUTED_OPERATIONS.some(({ route }) => {
      const known = route.path.split('/');
      return (
        known.length === words.length &&
        known.every((word, index) => word.startsWith('{') || word === words[index])
      );
    });
    if (!isKnown) throw new Error(`The control API has no operation ${path}`);
  }
}

const toName = ({ page, line, language }: { page: string } & CodeBlock): string =>
  `${page}:${line} (${language})`;

describe('the code blocks of the pages', () => {
  it('all have a language', () => {
    for (const page of pages) {
      const fences = read(page).match(/^[ \t]*```/gm) ?? [];
      const found = blocks.filter((block) => block.page === page);
      expect([page, fences.length]).toEqual([page, found.length * 2]);
    }
  });

  it('all use a language that CHECKS, COMPILED or ELSEWHERE lists', () => {
    const known = [...Object.keys(CHECKS), ...COMPILED, ...ELSEWHERE];
    const unknown = blocks.filter(({ language }) => !known.includes(language));
    expect(unknown.map(toName)).toEqual([]);
  });

  it.each(
    blocks.filter(({ language }) => language in CHECKS).map((one) => [toName(one), one] as const),
  )('are valid: %s', (_, { language, code }) => {
    expect(() => CHECKS[language]?.(code)).not.toThrow();
  });
});

describe('the code blocks that call verify()', () => {
  // A function that returns the promise leaves the error to its caller.
  const isSample = ({ code }: CodeBlock): boolean =>
    /\.verify\(/.test(code.replaceAll(/return \w+\.verify\(/g, '')) &&
    !code.includes(`from 'vitest'`);

  it.each(blocks.filter(isSample).map(({ code, ...block }) => [toName({ ...block, code }), code]))(
    'print the code and the message of its error for developers: %s',
    (_, code) => {
      const printed = /console\.(?:warn|error)(?:\(error\)|\(error\.code, error\.message\)|\))/;
      expect(code).toMatch(printed);
    },
  );
});

it('sentences of the pages contain only commands of ofage-mock that exist', () => {
  for (const page of pages) {
    const commands = read(page).matchAll(/`(npx ofage-mock\b[^`]*)`/g);
    for (const [, command = ''] of commands) {
      expect(() => checkMockCommand(command), `${page}: ${command}`).not.toThrow();
    }
  }
});

describe('the TypeScript in the pages and the doc comments compiles:', () => {
  const sources = globSync('{src,mock-server,testing,conformance}/**/*.ts', { cwd: ROOT });
  const examples = [
    ...blocks,
    ...sources.flatMap((page) =>
      findCodeBlocks(read(page).replaceAll(/^[ \t]*\* ?/gm, '')).map((block) => ({
        page,
        ...block,
      })),
    ),
  ]
    // examples.test.ts compiles the files of the examples, which import each other.
    .filter(({ language, code }) => COMPILED.includes(language) && !PRINTED_FILES.has(code))
    .map((block, n) => ({ ...block, path: `docs/example-${n}.${block.language}` }));
  const problems = compileModules(new Map(examples.map(({ path, code }) => [path, code])), {
    // An example may leave a value unused, because it only shows how to get it.
    options: { noUnusedLocals: false },
    ambient: globSync('test/docs/*.d.ts', { cwd: ROOT }).map((file) => join(ROOT, file)),
  });

  it.each(examples.map((one) => [toName(one), one.path]))('%s', (_, path) => {
    expect(problems.get(path)).toEqual([]);
  });
});
