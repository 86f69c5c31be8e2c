import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dateChanges } from '../../scripts/bump.mjs';
import { MANIFESTS, npmEnv, readBuilt, ROOT } from './built.ts';

interface Facts {
  readonly name: string;
  readonly version: string;
  readonly tag: string;
  readonly changelog: string;
  readonly status: string;
  readonly commit: string;
  readonly taggedCommit: string | undefined;
  readonly isPublishing?: boolean;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

// Project scripts without types.
const { findProblems, layOutCdn } = (await import(join(ROOT, 'scripts/release.mjs'))) as {
  findProblems(facts: Facts): string[];
  layOutCdn(folder: string, version: string): void;
};
const { PUBLISHED_HASH, PUBLISHED_VERSION, QUOTING } = (await import(
  join(ROOT, 'scripts/packages.mjs')
)) as { PUBLISHED_HASH: RegExp; PUBLISHED_VERSION: RegExp; QUOTING: readonly string[] };

const READY: Facts = {
  name: 'ofage',
  version: '1.2.3',
  tag: 'v1.2.3',
  changelog: '# Changelog\n\n## 1.2.3 - 2026-11-23\n\n- A change.\n\n## 1.2.2 - 2026-10-01\n',
  status: '',
  commit: 'abc',
  taggedCommit: undefined,
  versions: { 'src/brand.ts': '1.2.3', 'package-lock.json': '1.2.3' },
};

describe('findProblems()', () => {
  it.each([
    ['everything is ready', {}],
    [
      'an earlier run has tagged this commit, so that a release can be started again',
      { taggedCommit: 'abc' },
    ],
    ['the tagged commit is published', { taggedCommit: 'abc', isPublishing: true }],
  ])('finds nothing when %s', (_, facts) => {
    expect(findProblems({ ...READY, ...facts })).toEqual([]);
  });

  it.each([
    ['a changed file', { status: ' M README.md' }, /working tree has changes.*\n M README\.md/],
    ['a tag at another commit', { taggedCommit: 'def' }, /tag v1\.2\.3 exists at another commit/],
    [
      'a commit without the tag that is to be published',
      { isPublishing: true },
      /no tag v1\.2\.3.*npm run release -- ofage/,
    ],
    ['no heading', { changelog: '## 1.2.2 - 2026-10-01\n' }, /no heading "## 1\.2\.3 - /],
    ['a heading without a date', { changelog: '## 1.2.3\n' }, /no heading "## 1\.2\.3 - /],
    [
      'changes that belong to no version',
      { changelog: `## Unreleased\n\n${READY.changelog}` },
      /heading "Unreleased"/,
    ],
    [
      'half a bump',
      { versions: { ...READY.versions, 'src/brand.ts': '1.2.2' } },
      /src\/brand\.ts has the version 1\.2\.2, not 1\.2\.3\. Run npm run bump -- ofage 1\.2\.3/,
    ],
  ])('reports %s', (_, facts, problem) => {
    const [first, ...others] = findProblems({ ...READY, ...facts });
    expect(first).toMatch(problem);
    expect(others).toEqual([]);
  });
});

it('a changelog that has changes of one version below two headings is not dated', () => {
  const changelog = '## Unreleased\n\nNew.\n\n## 1.2.3 - 2026-11-01\n\nOld.\n';
  expect(() => dateChanges(changelog, '1.2.3')).toThrow(
    'The changelog has the headings "## Unreleased" and "## 1.2.3 - 2026-11-01", and all changes belong to 1.2.3.',
  );
  expect(dateChanges(changelog, '1.2.4')).toMatch(
    /^## 1\.2\.4 - [\d-]+\n\nNew\.\n\n## 1\.2\.3 - 2026-11-01\n/,
  );
});

it('every address of the published script has one version, and every hash is the same', () => {
  const texts = QUOTING.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const versions = texts.flatMap((text) => text.match(PUBLISHED_VERSION) ?? []);
  const hashes = texts.flatMap((text) => text.match(PUBLISHED_HASH) ?? []);
  expect(versions.length).toBeGreaterThanOrEqual(QUOTING.length);
  expect(new Set(versions).size).toBe(1);
  expect(hashes.length).toBeGreaterThan(1);
  expect(new Set(hashes).size).toBe(1);
});

const SECONDS = 1000;

const PRINT_PROBLEMS = `node --input-type=module -e "
  const { findProblems, readFacts } = await import('./scripts/release.mjs');
  console.log(findProblems(readFacts(process.env.NAME)));"`;

describe.each([
  ['ofage', 'CHANGELOG.md'],
  ['ofage-mock', 'mock-server/CHANGELOG.md'],
] as const)('a release of %s, by the recipe of CONTRIBUTING', (name, changelog) => {
  const commands = readRecipe().map((command) =>
    command.replace('NAME', name).replace('VERSION', next(MANIFESTS[name].version)),
  );

  it(
    'is ready after the bump and the commit',
    () => {
      const { run, edit } = createCopy();
      const version = next(MANIFESTS[name].version);
      edit(changelog, (text) => text.replace(/^## /m, '## Unreleased\n\n- A change.\n\n## '));
      const [bump = '', commit = '', dryRun = ''] = commands;
      expect(run(bump)).toMatchObject({ status: 0 });
      expect(run(commit)).toMatchObject({ status: 0 });
      expect(run(PRINT_PROBLEMS, { NAME: name })).toMatchObject({ status: 0, stdout: '[]\n' });
      // The build is the same for both packages. tarball.test.ts packs and checks both.
      if (name !== 'ofage') return;
      expect(run(dryRun)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`release/${name}-${version}.tgz`),
      });
      expect(run('git tag').stdout).toBe('');
    },
    240 * SECONDS,
  );

  it('refuses half a bump, and to publish a commit without its tag, before it builds', () => {
    const { run, edit } = createCopy();
    const manifest = name === 'ofage' ? 'package.json' : 'mock-server/package.json';
    const { version } = MANIFESTS[name];
    edit(manifest, (text) =>
      text.replace(`"version": "${version}"`, `"version": "${next(version)}"`),
    );
    run('git commit --quiet --all --message half');
    const { status, stderr } = run(`npm run --silent release -- ${name} --publish`);
    expect(stderr).toContain(`has the version ${version}, not ${next(version)}`);
    expect(stderr).toContain('This commit has no tag ');
    expect(status).toBe(1);
  });
});

it.each([
  ['npm run --silent release', /Name a package: ofage or ofage-mock, got none/],
  ['npm run --silent release -- ofag', /Name a package: ofage or ofage-mock, got "ofag"/],
  ['npm run --silent bump -- ofage', /Name the next version, such as 3\.5\.7, got none/],
  ['npm run --silent bump -- ofage 3.5', /Name the next version, such as 3\.5\.7, got 3\.5/],
  ['npm run --silent bump -- ofage 0.1.0', /must not be lower than/],
])('%s is refused with a sentence', (command, sentence) => {
  const { status, stderr } = spawnSync('sh', ['-c', command], {
    cwd: ROOT,
    encoding: 'utf8',
    env: npmEnv(),
  });
  expect(stderr).toMatch(sentence);
  expect(status).toBe(2);
});

/** Returns the commands of the recipe: the bump, the commit and the dry run. */
function readRecipe(): string[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const [, block = ''] = /## Commit and release[\s\S]*?```sh\n([\s\S]*?)```/.exec(text) ?? [];
  const commands = block.split('\n').filter((line) => line !== '');
  expect(commands).toHaveLength(3);
  return commands;
}

/** Copies the files that Git tracks or would add to a repository with one commit. Its packages are those of this one. */
function createCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'ofage-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of files
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  for (const path of ['node_modules', 'test/node_modules', 'scripts/node/node_modules'])
    symlinkSync(join(ROOT, path), join(folder, path));
  const env = {
    ...npmEnv(),
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@shop.example',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@shop.example',
  };
  const run = (command: string, more: object = {}) =>
    spawnSync('sh', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, ...more },
    });
  // The links are not folders, which .gitignore excludes.
  run('git init --quiet && echo node_modules >> .git/info/exclude');
  run('git add --all && git commit --quiet --message begin');
  return {
    run,
    edit(file: string, toEdited: (text: string) => string): void {
      const path = join(folder, file);
      writeFileSync(path, toEdited(readFileSync(path, 'utf8')));
    },
  };
}

function next(version: string): string {
  const [major, minor, patch] = version.split('.');
  return `${major}.${minor}.${Number(patch) + 1}`;
}

describe('layOutCdn()', () => {
  it('writes the script under both names, their hashes, and headers for cross-origin use', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-cdn-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    layOutCdn(folder, '1.2.3');
    expect(readdirSync(folder).sort()).toEqual(['_headers', 'ofage@1.2.3']);
    const read = (name: string): Buffer => readFileSync(join(folder, 'ofage@1.2.3', name));
    const hashes = JSON.parse(readBuilt('ofage', 'integrity.json')) as Record<string, string>;
    expect(readdirSync(join(folder, 'ofage@1.2.3')).sort()).toEqual(
      [...Object.keys(hashes), 'integrity.json'].sort(),
    );
    for (const [name, hash] of Object.entries(hashes)) {
      expect(hash).toBe(`sha384-${createHash('sha384').update(read(name)).digest('base64')}`);
    }
    const headers = readFileSync(join(folder, '_headers'), 'utf8');
    expect(headers).toMatch(/^\/ofage@1\.2\.3\/\*\n/);
    expect(headers).toContain('max-age=31536000, immutable');
    expect(headers).toContain('Access-Control-Allow-Origin: *');
  });
});
