import { Script } from 'node:vm';
import * as fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_OPTIONS,
  type IntegrationOptions,
  MODES,
} from '../../../../playground/demo/options.ts';
import { compileModules } from '../../../support/compile.ts';
import { anyOptions } from '../any-options.ts';
import { SNIPPETS, type SnippetId, toSnippet } from '../../../../playground/demo/code/snippets.ts';
import type { SnippetFacts } from '../../../../playground/demo/code/snippets.ts';

const FACTS: SnippetFacts = {
  target: 'production',
  mock: {
    sdkUrl: 'http://localhost:4010/sdk.min.js',
    apiBase: 'http://localhost:4010/api/v1',
    publishableKey: 'pk_test_123',
  },
};
const FOR_MOCK: SnippetFacts = { ...FACTS, target: 'mock' };
const BOTH = [FACTS, FOR_MOCK];
const NASTY = `a'b"c\\d\n</script><!--\u2028\${x}`;

const write = (id: SnippetId, change: Partial<IntegrationOptions> = {}, facts = FACTS) =>
  toSnippet(id, { ...DEFAULT_OPTIONS, ...change }, facts);

const someOptions = anyOptions({
  apiKey: fc.constantFrom(null, '', 'sk_live_1', NASTY),
  returnUrl: fc.constantFrom(null, '', 'javascript:alert(1)', NASTY),
  cancelAddress: fc.constantFrom(null, NASTY),
});

/**
 * All options of the SDK together. `mixtures` contains these and the default options in each mode, and
 * forty random combinations.
 */
const everything: IntegrationOptions = {
  ...DEFAULT_OPTIONS,
  cancelUrl: true,
  language: 'de',
  environment: 'staging',
  onComplete: true,
  onCancel: true,
  onError: true,
  skipIntro: true,
  autoReturn: true,
  callLanguage: 'fr',
};
const mixtures: readonly IntegrationOptions[] = [
  ...MODES.flatMap((mode) => [
    { ...DEFAULT_OPTIONS, mode },
    { ...everything, mode },
  ]),
  ...fc.sample(someOptions, { numRuns: 40, seed: 6 }),
];

describe('a snippet', () => {
  it.each(['script', 'npm', 'typescript'] as const)(
    'says why the click starts the check only if that opens a window: %s',
    (id) => {
      expect(write(id, { mode: 'popup' })).toContain('browsers open a window only then');
      expect(write(id, { mode: 'redirect' })).not.toContain('open a window');
    },
  );

  it.each([
    ['typescript', 'ts'],
    ['react', 'tsx'],
    ['server', 'ts'],
  ] as const)('for %s compiles with default, complete and random options', (id, extension) => {
    const texts = new Set(
      BOTH.flatMap((facts) => mixtures.map((options) => toSnippet(id, options, facts))),
    );
    const named = [...texts].map((text, n) => [`snippet-${id}-${n}.${extension}`, text] as const);
    const problems = [...compileModules(new Map(named))].map(([name, messages], n) => ({
      name,
      messages,
      text: named[n]?.[1],
    }));
    expect(problems.filter(({ messages }) => messages.length > 0)).toEqual([]);
  });

  it('for npm equals the TypeScript snippet without types', () => {
    const toJs = (text: string) =>
      ts.transpile(text, { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext });
    for (const options of mixtures) {
      const typed = toJs(toSnippet('typescript', options, FACTS)).replaceAll(/[()\s]/g, '');
      expect(toJs(toSnippet('npm', options, FACTS)).replaceAll(/[()\s]/g, '')).toBe(typed);
    }
  });

  it.each(['script', 'return'] as const)(
    'for the page (%s) ends with an inline script that parses and contains no </script>',
    (id) => {
      for (const [options, facts] of mixtures.flatMap((one) =>
        BOTH.map((it) => [one, it] as const),
      )) {
        const page = toSnippet(id, options, facts);
        const [, code] = /<script>\n([\s\S]*?)<\/script>/.exec(page) ?? [];
        expect(() => new Script(code ?? '(')).not.toThrow();
        expect(page.trimEnd().endsWith('</script>')).toBe(true);
        expect(page.slice(page.indexOf(code ?? '')).match(/<\/script/g)).toHaveLength(1);
      }
    },
  );

  it('escapes quotes, line breaks and tags in a setting without changing its value', () => {
    const page = write('npm', { returnUrl: NASTY });
    const [, literal = ''] = /returnUrl: ('.*'),/.exec(page) ?? [];
    expect(new Script(literal).runInNewContext()).toBe(NASTY);
  });

  it('contains no secret key by default', () => {
    for (const facts of BOTH) {
      for (const { id } of SNIPPETS) expect(write(id, {}, facts)).not.toContain('sk_');
    }
  });

  it('for production pins the version and the hash of the SDK, and contains nothing of the mock', () => {
    for (const id of ['script', 'return'] as const) {
      expect(write(id)).toMatch(
        /src="https:\/\/cdn.ofage.example\/ofage@\d+\.\d+\.\d+\/sdk.min.js"\n {2}integrity="sha384-[^"]{64}"/,
      );
    }
    for (const { id } of SNIPPETS) expect(write(id)).not.toMatch(/pk_test_123|localhost/);
  });

  it("for the mock has its address and key, no hash, and uses the page's origin", () => {
    for (const id of ['script', 'return'] as const) {
      const code = write(id, {}, FOR_MOCK);
      expect(code).toContain('<script src="http://localhost:4010/sdk.min.js"></script>');
      expect(code).not.toContain('integrity');
    }
    for (const id of ['script', 'npm', 'typescript', 'react'] as const) {
      const code = write(id, { cancelUrl: true }, FOR_MOCK);
      expect(code).toContain("apiKey: 'pk_test_123',");
      expect(code).toContain("returnUrl: location.origin + '/age-check/return',");
      expect(code).toContain("cancelUrl: location.origin + '/basket',");
    }
    for (const id of ['npm', 'typescript', 'react'] as const) {
      expect(write(id, {}, FOR_MOCK)).toContain("createTestOfAge('http://localhost:4010/api/v1')");
    }
    const own = { returnUrl: 'https://me.example/r' };
    expect(write('script', own, FOR_MOCK)).toContain("returnUrl: 'https://me.example/r',");
  });

  it('prints the code and the message of an error for developers', () => {
    for (const id of ['script', 'npm', 'typescript', 'react'] as const) {
      expect(write(id)).toMatch(/console\.warn\((error|error\.code, error\.message)\);/);
    }
  });

  it("requests the server's decision by default, and omits the SDK in server mode", () => {
    for (const id of ['script', 'npm', 'typescript', 'react'] as const) {
      expect(write(id)).toContain("fetch('/age-check'");
      expect(write(id, { mode: 'server' })).not.toContain('OfAge');
    }
    expect(write('server', { mode: 'server' })).toContain('createSession');
    expect(write('server')).toContain('grantsAccess');
  });
});
