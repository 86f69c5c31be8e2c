import { fileURLToPath } from 'node:url';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createStore } from '../../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../../mock-server/store/logs/sqlite.ts';

export const MODULE = fileURLToPath(
  new URL('../../../../mock-server/store/logs/sqlite.ts', import.meta.url),
);

/** Returns the name and the bytes of every file. */
export function readFolder(path: string): Record<string, string> {
  const names = readdirSync(path, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    names.map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'base64') : 'folder',
    ]),
  );
}

export function sumFolder(path: string): string {
  return execFileSync('sh', ['-c', 'cksum *'], { cwd: path, encoding: 'utf8' });
}

export function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused');
}

/** Expects one sentence with the action, the path, the reason and the next step, without a full stop. */
export function expectSentence(message: string, file: string): void {
  expect(message).toMatch(/^Cannot open the data file "/);
  expect(message).toContain(`"${file}": `);
  expect(message).toMatch(/; .+[^.]$/);
  expect(message).not.toContain('\n');
}

export async function countRows(file: string): Promise<number> {
  const store = createStore(openSqliteLog(file));
  const count = await store.transact((db) => db.count('settings'));
  await store.close();
  return count;
}

export function openInAnotherProcess(file: string): string {
  return runScript(
    `try { openSqliteLog(${JSON.stringify(file)}); console.log('opened') } catch (e) { console.log(e.code) }`,
  ).stdout.trim();
}

export function runScript(
  script: string,
  as: { uid?: number } = {},
): { stdout: string; stderr: string } {
  return spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openSqliteLog } from ${JSON.stringify(MODULE)};\n${script}`,
    ],
    { encoding: 'utf8', ...as },
  );
}
