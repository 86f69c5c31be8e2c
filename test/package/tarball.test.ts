import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installTarball, MANIFEST, readBuilt, ROOT, type Installed } from './built.ts';

const BUNDLES = [
  ...['index', 'server', 'mock', 'mock-node'].flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]),
  'ofage-mock.js',
  'merchant-backend.js',
];

let installed: Installed;
let files: string[];

beforeAll(() => {
  installed = installTarball();
  const names = readdirSync(join(installed.folder, 'node_modules/ofage'), {
    recursive: true,
    withFileTypes: true,
  });
  files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
});

afterAll(() => {
  installed?.remove();
});

describe('the tarball', () => {
  it('contains only files for customers', () => {
    const top = new Set(files.map((file) => file.split('/node_modules/ofage/')[1]!.split('/')[0]));
    expect([...top].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
    expect(files.filter((file) => /\.map$|\.test\.|\.tsx?$(?<!\.d\.ts)/.test(file))).toEqual([]);
  });

  it('contains every file that package.json references', () => {
    const pointed = JSON.stringify([MANIFEST.exports, MANIFEST.bin]).match(/dist\/[^"*]+(?=")/g)!;
    expect(pointed.length).toBeGreaterThan(10);
    for (const path of pointed) {
      expect(existsSync(join(installed.folder, 'node_modules/ofage', path)), path).toBe(true);
    }
  });

  it('has no dependencies', () => {
    expect(MANIFEST.dependencies ?? {}).toEqual({});
    const found = readdirSync(join(installed.folder, 'node_modules')).filter((n) => n[0] !== '.');
    expect(found).toEqual(['ofage']);
  });

  it('contains no paths of the build machine', () => {
    for (const file of files) {
      expect(readFileSync(file, 'utf8').includes(ROOT), file).toBe(false);
    }
  });

  it('imports only Node modules, and msw in the mock', () => {
    const foreign = BUNDLES.map((name) => [
      name,
      importsOf(readBuilt(name)).filter((module) => !module.startsWith('node:')),
    ]);
    expect(Object.fromEntries(foreign)).toEqual({
      ...Object.fromEntries(BUNDLES.map((name) => [name, []])),
      'mock.js': ['msw'],
      'mock.cjs': ['msw'],
    });
  });

  it('passes publint', () => {
    const said = run('publint', installed.tarball, '--strict');
    expect(said).toContain('All good!');
  });

  it('passes attw: every entry resolves with types in every mode', () => {
    const { analysis, problems } = JSON.parse(
      run('attw', installed.tarball, '--format', 'json'),
    ) as {
      analysis: { entrypoints: Record<string, unknown> };
      problems?: unknown;
    };
    expect(problems ?? {}).toEqual({});
    expect(Object.keys(analysis.entrypoints)).toEqual(Object.keys(MANIFEST.exports));
  });
});

describe('the command', () => {
  it('is linked by npm and runs', () => {
    const command = join(installed.folder, 'node_modules/.bin/ofage-mock');
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toContain(MANIFEST.version);
  });
});

/** Runs a tool of the project and returns its output. Throws if the tool exits with an error code. */
function run(tool: string, ...args: string[]): string {
  return execFileSync(join(ROOT, 'node_modules/.bin', tool), args, { encoding: 'utf8' });
}

/** Returns the modules that a built file imports or requires on load. */
function importsOf(code: string): string[] {
  const found = code.matchAll(
    /^(?:import|export)\b[^;'"]*?from\s*'([^']+)'|^(?:const|var) .*?\brequire\('([^']+)'\)/gm,
  );
  return Array.from(found, ([, esm, cjs]) => (esm ?? cjs)!);
}
