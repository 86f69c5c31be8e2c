import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MANIFEST, ROOT } from './built.ts';

interface Facts {
  readonly version: string;
  readonly changelog: string;
  readonly status: string;
  readonly tags: readonly string[];
}

// A project script without types.
const { findProblems, layOutCdn } = (await import(join(ROOT, 'scripts/release.mjs'))) as {
  findProblems(facts: Facts): string[];
  layOutCdn(folder: string, version: string): void;
};

const READY: Facts = {
  version: '1.2.3',
  changelog: '# Changelog\n\n## 1.2.3 - 2026-11-23\n\n- A change.\n\n## 1.2.2 - 2026-10-01\n',
  status: '',
  tags: ['v1.2.2'],
};

describe('findProblems()', () => {
  it('finds nothing when everything is ready', () => {
    expect(findProblems(READY)).toEqual([]);
  });

  it.each([
    ['a changed file', { status: ' M README.md' }, /working tree has changes.*\n M README\.md/],
    ['a tag of the same version', { tags: ['v1.2.3'] }, /tag v1\.2\.3 exists/],
    ['no heading', { changelog: '## 1.2.2 - 2026-10-01\n' }, /no heading "## 1\.2\.3 - /],
    ['a heading without a date', { changelog: '## 1.2.3\n' }, /no heading "## 1\.2\.3 - /],
    [
      'changes that belong to no version',
      { changelog: `## Unreleased\n\n${READY.changelog}` },
      /heading "Unreleased"/,
    ],
  ])('reports %s', (_, facts, problem) => {
    const [first, ...others] = findProblems({ ...READY, ...facts });
    expect(first).toMatch(problem);
    expect(others).toEqual([]);
  });

  it('accepts the changelog of this version', () => {
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(findProblems({ ...READY, version: MANIFEST.version, changelog })).toEqual([]);
  });
});

describe('the scripts of package.json', () => {
  it('are not run by npm before or after another one, such as prepack before pack', () => {
    const names = Object.keys(MANIFEST.scripts);
    const hooks = names.flatMap((name) => [`pre${name}`, `post${name}`]);
    expect(names.filter((name) => hooks.includes(name))).toEqual([]);
  });
});

describe('layOutCdn()', () => {
  it('writes the script under both names, their hashes, and headers for cross-origin use', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-cdn-'));
    try {
      layOutCdn(folder, '1.2.3');
      expect(readdirSync(folder).sort()).toEqual(['_headers', 'ofage@1.2.3']);
      const read = (name: string): Buffer => readFileSync(join(folder, 'ofage@1.2.3', name));
      const hashes = JSON.parse(read('integrity.json').toString()) as Record<string, string>;
      for (const name of ['sdk.min.js', 'ofage.min.js']) {
        const hash = createHash('sha384').update(read(name)).digest('base64');
        expect(hashes[name]).toBe(`sha384-${hash}`);
      }
      const headers = readFileSync(join(folder, '_headers'), 'utf8');
      expect(headers).toMatch(/^\/ofage@1\.2\.3\/\*\n/);
      expect(headers).toContain('max-age=31536000, immutable');
      expect(headers).toContain('Access-Control-Allow-Origin: *');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
