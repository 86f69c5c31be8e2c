import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installTarball, MANIFEST, npmEnv, readBuilt, ROOT, type Installed } from './built.ts';

const BUNDLES = ['', 'shared/'].flatMap((folder) =>
  readdirSync(join(ROOT, 'dist', folder))
    .filter((name) => /\.c?js$/.test(name))
    .map((name) => `${folder}${name}`),
);

/** Limits of the package's size, in bytes. Raise a limit in a separate commit. */
const LIMITS = { packed: 700_000, unpacked: 2_200_000 };

let installed: Installed;
let files: string[];

beforeAll(() => {
  installed = installTarball({ withCommand: true });
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
      'conformance',
      'dist',
      'global',
      'integrity.json',
      'mock',
      'ofage.min.js',
      'package.json',
      'sdk.min.js',
      'server',
      'testing',
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

  it('is within its size limits', () => {
    const unpacked = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(statSync(installed.tarball).size).toBeLessThanOrEqual(LIMITS.packed);
    expect(unpacked).toBeLessThanOrEqual(LIMITS.unpacked);
  });

  it('names a repository, without which npm cannot create a provenance statement', () => {
    const { private: isPrivate, ...manifest } = read<Record<string, unknown>>('package.json');
    expect(isPrivate).toBeUndefined();
    expect(manifest).toMatchObject({
      repository: { url: expect.stringMatching(/^git\+https:/) },
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:.*\/issues$/),
      author: expect.any(String),
      publishConfig: { provenance: true },
    });
    expect(manifest).not.toHaveProperty('devDependencies');
  });

  it('has a README with absolute links only, because the docs folder is not packed', () => {
    const links = Array.from(readPackaged('README.md').matchAll(/\]\(([^)]+)\)/g), ([, to]) => to);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !link!.startsWith('https://'))).toEqual([]);
  });

  it.each(['server', 'mock', 'mock/node', 'mock/client', 'testing', 'conformance'])(
    'resolves ofage/%s for resolvers that do not read exports',
    (subpath) => {
      const folder = read<Record<'main' | 'module' | 'types', string>>(`${subpath}/package.json`);
      for (const path of [folder.main, folder.module, folder.types]) {
        expect(existsSync(join(installed.folder, 'node_modules/ofage', subpath, path)), path).toBe(
          true,
        );
      }
    },
  );

  it('has no dependencies', () => {
    expect(MANIFEST.dependencies ?? {}).toEqual({});
    const found = readdirSync(join(installed.folder, 'node_modules')).filter((n) => n[0] !== '.');
    expect(found).toEqual(['ofage', 'ofage-mock']);
  });

  it('contains no paths of the build machine', () => {
    for (const file of files) {
      expect(readFileSync(file, 'utf8').includes(ROOT), file).toBe(false);
    }
  });

  it('imports only Node modules at load time, except msw in the ES module of the mock', () => {
    const foreign = BUNDLES.map((name) => [
      name,
      importsOf(readBuilt(name)).filter((module) => !/^(node:|\.)/.test(module)),
    ]);
    expect(Object.fromEntries(foreign)).toEqual({
      ...Object.fromEntries(BUNDLES.map((name) => [name, []])),
      'mock.js': ['msw'],
    });
  });

  it('has no declaration that mentions the schema library', () => {
    const declarations = files.filter((file) => file.endsWith('.d.cts'));
    expect(declarations.length).toBeGreaterThan(5);
    for (const file of declarations)
      expect(readFileSync(file, 'utf8'), file).not.toMatch(/valibot|GenericSchema/);
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
  it('runs with npx in a folder without a project', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-nowhere-'));
    const file = join(dirname(installed.tarball), `ofage-mock-${MANIFEST.version}.tgz`);
    const packages = [installed.tarball, file].map((path) => `--package=${path}`);
    try {
      const said = execFileSync(
        'npx',
        ['--yes', '--offline', ...packages, 'ofage-mock', '--version'],
        { cwd: folder, encoding: 'utf8', env: npmEnv() },
      );
      expect(said).toContain(MANIFEST.version);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is linked by npm, in a package that depends on this version', () => {
    const command = join(installed.folder, 'node_modules/.bin/ofage-mock');
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toContain(MANIFEST.version);
    const path = join(installed.folder, 'node_modules/ofage-mock/package.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      version: MANIFEST.version,
      dependencies: { ofage: MANIFEST.version },
    });
  });
});

describe('dist/mock-client.js', () => {
  it('contains the routes but not the service', () => {
    const entry = readBuilt('mock-client.js');
    const shared = Array.from(entry.matchAll(/"\.\/(shared\/[^"]+)"/g), ([, path = '']) => path);
    const code = [entry, ...shared.map(readBuilt)].join('\n');
    expect(code).toContain('/webhook-endpoints/{id}');
    expect(code).not.toMatch(/valibot|Hono|safeParse|strictObject/);
    // The files are unminified, with the scenario catalogue.
    expect(Buffer.byteLength(code)).toBeLessThan(16_000);
  });
});

/** Reads a file of the installed package. */
function readPackaged(path: string): string {
  return readFileSync(join(installed.folder, 'node_modules/ofage', path), 'utf8');
}

function read<T>(path: string): T {
  return JSON.parse(readPackaged(path)) as T;
}

/** Runs a tool of the tests and returns its output. Throws if the tool exits with an error code. */
function run(tool: string, ...args: string[]): string {
  return execFileSync(join(ROOT, 'test/node_modules/.bin', tool), args, { encoding: 'utf8' });
}

/** Returns the modules that a built file imports or requires on load. */
function importsOf(code: string): string[] {
  const found = code.matchAll(
    /^(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|^(?:const|var) .*?\brequire\(['"]([^'"]+)['"]\)/gm,
  );
  return Array.from(found, ([, esm, cjs]) => (esm ?? cjs)!);
}
