/** Checks every code block of the README and the documentation, and says which test runs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseHtml, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { listPages } from '../../docs/build/page-list.mjs';
import { parseInvocation } from '../../mock-server/cli/invocation.ts';
import { OPERATIONS } from '../../mock-server/operations/table.ts';
import { findCodeBlocks, type CodeBlock } from '../support/code-blocks.ts';

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

/** The languages that no check of this file reads, with the tests that compile or run their blocks. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  ts: ['test/docs/examples.test.ts'],
  tsx: ['test/docs/examples.test.ts'],
  php: ['test/docs/signatures.test.ts'],
  python: ['test/docs/signatures.test.ts'],
  ruby: ['test/docs/signatures.test.ts'],
  go: ['test/docs/signatures.test.ts'],
  java: ['test/docs/signatures.test.ts'],
  svelte: ['test/docs/frameworks.test.ts', 'test/consumers/guides.test.ts'],
  vue: ['test/docs/frameworks.test.ts', 'test/consumers/guides.test.ts'],
  // Drawings, headers and output, which are not code.
  text: [],
};

/** Tests that run blocks of a page or compare them with real output, besides the checks of this file. */
const RUN_BY: readonly { page: string; languages: readonly string[]; test: string }[] = [
  { page: 'README.md', languages: ['html'], test: 'test/e2e/shop-code.spec.ts' },
  { page: 'README.md', languages: ['ts'], test: 'test/docs/readme.test.ts' },
  {
    page: 'docs/guides/five-minutes.md',
    languages: ['html', 'js', 'sh'],
    test: 'test/e2e/support/five-minutes.ts',
  },
  {
    page: 'docs/guides/continuous-integration.md',
    languages: ['yaml'],
    test: 'test/docs/continuous-integration.test.ts',
  },
  {
    page: 'docs/guides/signatures.md',
    languages: ['php', 'python', 'ruby', 'go', 'java', 'sh'],
    test: 'test/docs/signatures.test.ts',
  },
  {
    page: 'docs/guides/testing-with-jest.md',
    languages: ['js'],
    test: 'test/consumers/guides.test.ts',
  },
  {
    page: 'docs/guides/testing-with-node-test.md',
    languages: ['js'],
    test: 'test/consumers/guides.test.ts',
  },
  { page: 'docs/guides/vue.md', languages: ['vue'], test: 'test/consumers/guides.test.ts' },
  { page: 'docs/guides/svelte.md', languages: ['svelte'], test: 'test/consumers/guides.test.ts' },
  {
    page: 'docs/guides/frameworks.md',
    languages: ['svelte', 'vue'],
    test: 'test/docs/frameworks.test.ts',
  },
  { page: 'docs/guides/doctor.md', languages: ['text'], test: 'test/docs/doctor.test.ts' },
  { page: 'docs/errors.md', languages: ['text'], test: 'test/sdk/errors.test.ts' },
  { page: 'docs/server-errors.md', languages: ['text'], test: 'test/server/server-errors.test.ts' },
];

const pages = ['README.md', ...listPages().map((page) => join('docs', page))];
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
    const isKnown = OPERATIONS.some(({ route }) => {
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

  it('all use a language that CHECKS or ELSEWHERE lists', () => {
    const unknown = blocks.filter(
      ({ language }) => CHECKS[language] === undefined && ELSEWHERE[language] === undefined,
    );
    expect(unknown.map(toName)).toEqual([]);
  });

  it.each(
    blocks.filter(({ language }) => language in CHECKS).map((one) => [toName(one), one] as const),
  )('are valid: %s', (_, { language, code }) => {
    expect(() => CHECKS[language]?.(code)).not.toThrow();
  });
});

it('sentences of the pages contain only commands of ofage-mock that exist', () => {
  for (const page of pages) {
    const commands = read(page).matchAll(/`(npx ofage-mock\b[^`]*)`/g);
    for (const [, command = ''] of commands) {
      expect(() => checkMockCommand(command), `${page}: ${command}`).not.toThrow();
    }
  }
});

describe('the tables of the tests that run code blocks', () => {
  it.each(RUN_BY)('name $test, which reads $page', ({ page, languages, test }) => {
    const code = read(test);
    const name = basename(page, '.md');
    expect(code.includes(`${name}.md`) || code.includes(`'${name}'`)).toBe(true);
    const present = blocks.filter((block) => block.page === page).map(({ language }) => language);
    expect(present).toEqual(expect.arrayContaining([...languages]));
  });

  it('name only languages that the pages use, and files that exist', () => {
    for (const [language, tests] of Object.entries(ELSEWHERE)) {
      expect(blocks.map((block) => block.language)).toContain(language);
      for (const test of tests) expect(existsSync(join(ROOT, test))).toBe(true);
    }
  });
});
