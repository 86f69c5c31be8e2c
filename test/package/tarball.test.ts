import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  installTarballs,
  MANIFESTS,
  npmEnv,
  type PackageName,
  PACKAGES,
  readBuilt,
  ROOT,
  type Installed,
} from './built.ts';

/** The files of each package besides `dist/` and those that npm always packs, and limits of its size in bytes. */
const EXPECTED = {
  ofage: {
    folders: ['global', 'integrity.json', 'ofage.min.js', 'sdk.min.js', 'server'],
    subpaths: ['server'],
    limits: { packed: 100_000, unpacked: 380_000, files: 34 },
  },
  'ofage-mock': {
    folders: ['client', 'conformance', 'node', 'testing'],
    subpaths: ['client', 'conformance', 'node', 'testing'],
    limits: { packed: 660_000, unpacked: 2_050_000, files: 120 },
  },
};

const NAMES = Object.keys(EXPECTED) as PackageName[];

/** The modules that a file imports at load time, besides those of Node. All other files import none. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  'ofage-mock/dist/index.js': ['msw'],
  'ofage-mock/dist/demo-backend.js': ['ofage/server'],
};

let installed: Installed;

beforeAll(() => {
  installed = installTarballs();
});

afterAll(() => {
  installed?.remove();
});

/** The files of an installed package, with their paths below its folder. */
function filesOf(name: PackageName): string[] {
  const folder = join(installed.folder, 'node_modules', name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

describe.each(NAMES)('the tarball of %s', (name) => {
  const { folders, subpaths, limits } = EXPECTED[name];
  const manifest = MANIFESTS[name];
  const readText = (path: string): string =>
    readFileSync(join(installed.folder, 'node_modules', name, path), 'utf8');
  const has = (path: string): boolean =>
    existsSync(join(installed.folder, 'node_modules', name, path));

  it('contains only files for customers', () => {
    const top = new Set(filesOf(name).map((file) => file.split('/')[0]));
    const always = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'];
    expect([...top].sort()).toEqual([...always, ...folders].sort());
    const unwanted = /\.map$|\.test\.|\.tsx?$(?<!\.d\.ts)|\.notices/;
    expect(filesOf(name).filter((file) => unwanted.test(file))).toEqual([]);
  });

  it('has the licence, the README and the changelog of its folder', () => {
    for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md'])
      expect(readText(file)).toBe(readFileSync(join(PACKAGES[name], file), 'utf8'));
    expect(readText('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  it('contains every file that package.json references', () => {
    const pointed = JSON.stringify([manifest.exports, manifest.bin]).match(/dist\/[^"*]+(?=")/g)!;
    expect(pointed.length).toBeGreaterThan(10);
    for (const path of pointed) expect(has(path), path).toBe(true);
  });

  it('is within its size limits', () => {
    const sizes = filesOf(name).map(
      (file) => statSync(join(installed.folder, 'node_modules', name, file)).size,
    );
    expect(statSync(installed.tarballs[name]).size).toBeLessThanOrEqual(limits.packed);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(limits.unpacked);
    expect(sizes.length).toBeLessThanOrEqual(limits.files);
  });

  it('names a repository, without which npm cannot create a provenance statement', () => {
    expect(manifest).toMatchObject({
      repository: { url: expect.stringMatching(/^git\+https:/) },
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:.*\/issues$/),
      author: expect.any(String),
      publishConfig: { provenance: true },
    });
  });

  it('can be published and installed: not private, without a path or itself as a dependency', () => {
    expect(manifest).not.toHaveProperty('private');
    const { dependencies, peerDependencies, optionalDependencies } = manifest;
    const needed = { ...dependencies, ...peerDependencies, ...optionalDependencies };
    expect(Object.values(needed).filter((range) => /^(file|link|workspace):/.test(range))).toEqual(
      [],
    );
    expect(Object.keys(needed)).not.toContain(name);
  });

  it.each(subpaths)(`resolves ${name}/%s for resolvers that do not read exports`, (subpath) => {
    const folder = JSON.parse(readText(`${subpath}/package.json`)) as Record<string, string>;
    for (const field of ['main', 'module', 'types'])
      expect(has(join(subpath, folder[field]!)), field).toBe(true);
  });

  it('contains no paths of the build machine', () => {
    for (const file of filesOf(name)) expect(readText(file).includes(ROOT), file).toBe(false);
  });

  it('imports only Node modules at load time, except where it must', () => {
    const bundles = filesOf(name).filter((file) => /^dist\/(shared\/)?[^/]+\.c?js$/.test(file));
    expect(bundles.length).toBeGreaterThan(3);
    const foreign = bundles.map((file) => [
      `${name}/${file}`,
      importsOf(readText(file)).filter((module) => !/^(node:|\.)/.test(module)),
    ]);
    const expected = bundles.map((file) => [`${name}/${file}`, FOREIGN[`${name}/${file}`] ?? []]);
    expect(Object.fromEntries(foreign)).toEqual(Object.fromEntries(expected));
  });

  it('has no declaration that mentions the schema library', () => {
    const declarations = filesOf(name).filter((file) => file.endsWith('.d.cts'));
    expect(declarations.length).toBeGreaterThan(2);
    for (const file of declarations)
      expect(readText(file), file).not.toMatch(/valibot|GenericSchema/);
  });

  it('passes publint', () => {
    expect(run('publint', installed.tarballs[name], '--strict')).toContain('All good!');
  });

  it('passes attw: every entry resolves with types in every mode', () => {
    const { analysis, problems } = JSON.parse(
      run('attw', installed.tarballs[name], '--format', 'json'),
    ) as {
      analysis: { entrypoints: Record<string, unknown> };
      problems?: unknown;
    };
    expect(problems ?? {}).toEqual({});
    expect(Object.keys(analysis.entrypoints)).toEqual(Object.keys(manifest.exports));
  });
});

it('the command that the README and the first guide name packs both packages', () => {
  const command = 'npm pack --workspaces';
  for (const file of ['README.md', 'docs/guides/five-minutes.md'])
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`\`${command}\``);
  const said = execFileSync('sh', ['-c', `${command} --dry-run --json --ignore-scripts`], {
    cwd: ROOT,
    encoding: 'utf8',
    env: npmEnv(),
  });
  const packed = Object.values(JSON.parse(said) as Record<string, { name: string }>);
  expect(packed.map(({ name }) => name).sort()).toEqual(NAMES);
});

it('a shop installs one package without dependencies and without a command', () => {
  const { dependencies, peerDependencies, bin } = MANIFESTS.ofage;
  expect({ ...dependencies, ...peerDependencies, ...bin }).toEqual({});
});

it('the mock needs the SDK and the server kit of the same major version, and nothing else', () => {
  const { dependencies = {} } = MANIFESTS['ofage-mock'];
  expect(Object.keys(dependencies)).toEqual(['ofage']);
  expect(dependencies['ofage']).toMatch(/^\^\d+\.\d+\.\d+$/);
  expect(dependencies['ofage']!.split('.')[0]).toBe(`^${MANIFESTS.ofage.version.split('.')[0]}`);
  const found = readdirSync(join(installed.folder, 'node_modules')).filter((n) => n[0] !== '.');
  expect(found).toEqual(NAMES);
});

describe('the command', () => {
  const { version } = MANIFESTS['ofage-mock'];

  it('runs with npx in a folder without a project', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-nowhere-'));
    const packages = NAMES.map((name) => `--package=${installed.tarballs[name]}`);
    try {
      const said = execFileSync(
        'npx',
        ['--yes', '--offline', ...packages, 'ofage-mock', '--version'],
        { cwd: folder, encoding: 'utf8', env: npmEnv() },
      );
      expect(said).toContain(version);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is linked by npm', () => {
    const command = join(installed.folder, 'node_modules/.bin/ofage-mock');
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toContain(version);
  });
});

describe('the entry ofage-mock/client', () => {
  it('contains the routes but not the service', () => {
    const entry = readBuilt('ofage-mock', 'client.js');
    const shared = Array.from(entry.matchAll(/"\.\/(shared\/[^"]+)"/g), ([, path = '']) => path);
    const code = [entry, ...shared.map((path) => readBuilt('ofage-mock', path))].join('\n');
    expect(code).toContain('/webhook-endpoints/{id}');
    expect(code).not.toMatch(/valibot|Hono|safeParse|strictObject/);
    // The files are unminified, with the scenario catalogue and the words for changes and reports.
    expect(Buffer.byteLength(code)).toBeLessThan(20_000);
  });
});

/** Runs a tool of the tests and returns its output. Throws if the tool exits with an error code. */
function run(tool: string, ...args: string[]): string {
  return execFileSync(join(ROOT, 'test/node_modules/.bin', tool), args, { encoding: 'utf8' });
}

/** Returns the modules that a built file imports or requires on load. */
function importsOf(code: string): string[] {
  const found = code.matchAll(
    /(?:^|;)(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|(?:^|;)(?:const|var) \w+ ?= ?require\(['"]([^'"]+)['"]\)/gm,
  );
  return Array.from(found, ([, esm, cjs]) => (esm ?? cjs)!);
}
