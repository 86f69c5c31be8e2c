import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The project's files, without those that git ignores. All are copied, because tests read many of them. */
const FILES = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

/** Calls `run` with a copy of the project, and deletes the copy afterwards. */
export async function inCopy<T>(run: (copy: string) => Promise<T>): Promise<T> {
  const base = mkdtempSync(join(tmpdir(), 'ofage-mutant-'));
  const copy = join(base, 'project');
  try {
    for (const file of FILES) cpSync(join(ROOT, file), join(copy, file));
    for (const packages of ['node_modules', 'test/node_modules'])
      symlinkSync(join(ROOT, packages), join(copy, packages));
    return await run(copy);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
