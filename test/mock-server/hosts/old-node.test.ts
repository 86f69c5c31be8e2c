import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Returns a Node on this machine's PATH that has no SQLite. If there is none, prints why tests are skipped.
 */
function findOldNode(): string | undefined {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file) && !file.includes('node_modules'))
    .find((file) => {
      const version = execFileSync(file, ['--version'], { encoding: 'utf8' });
      return /^v2[01]\./.test(version);
    });
  if (!found) console.warn('Skipped the tests on Node 20: there is none on the PATH');
  return found;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The build's plugin for the help pages, which has no types. */
const { withHelp } = (await import(join(ROOT, 'scripts/rollup-plugins.mjs'))) as {
  withHelp(): Plugin;
};

const node = findOldNode();

describe.skipIf(!node)('ofage/mock/node on a Node without SQLite', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ofage-old-node-'));
    // Node 20 cannot run TypeScript. The published package bundles its dependencies in the same way.
    await build({
      configFile: false,
      root: ROOT,
      logLevel: 'error',
      plugins: [withHelp()],
      ssr: { noExternal: true, external: ['pg'] },
      build: { ssr: 'mock-server/node.ts', outDir: folder, minify: false },
    });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a script next to the bundle and returns its output. */
  function run(script: string): { stdout: string; stderr: string } {
    const prelude = "import { startMockServer } from './node.js';\n";
    return spawnSync(node!, ['--input-type=module', '-e', prelude + script], {
      cwd: folder,
      encoding: 'utf8',
    });
  }

  it('serves requests with its state in memory', () => {
    const { stdout, stderr } = run(`
      const server = await startMockServer({ port: 0 });
      const answer = await fetch(server.apiBase + '/sessions/create', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + server.secretKey, 'content-type': 'application/json' },
        body: '{"returnUrl":"http://localhost/"}',
      });
      console.log(answer.status);
      await server.close();
    `);
    expect({ stdout, stderr }).toEqual({ stdout: '201\n', stderr: '' });
  });

  it('rejects a data file, names the required Node version, and creates no file', () => {
    const before = readdirSync(folder);
    const { stdout, stderr } = run(`
      await startMockServer({ port: 0, data: 'state.sqlite' }).catch((e) => console.log(e.code, e.message));
    `);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^unreadable Cannot open the data file ".*state.sqlite": a data file needs Node 22.13 or newer, but this is Node 2\d\.[\d.]+; update Node, or keep state in memory: ofage-mock --ephemeral\n$/,
    );
    expect(readdirSync(folder)).toEqual(before);
  });

  it('reports that the package "pg" is not installed', () => {
    const { stdout, stderr } = run(`
      await startMockServer({ port: 0, data: 'postgres://user:s3cret@127.0.0.1/mock' })
        .catch((e) => console.log(e.code, e.message));
    `);
    expect({ stdout, stderr }).toEqual({
      stdout:
        'unreadable Cannot keep state in PostgreSQL: the package "pg" is not installed; run npm install pg\n',
      stderr: '',
    });
  });
});
