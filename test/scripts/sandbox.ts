import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Creates a folder with the project's scripts and the given files. It is deleted after the test. */
export function makeSandbox(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'ofage-scripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL('../../scripts', import.meta.url)), join(folder, 'scripts'), {
    recursive: true,
  });
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  return folder;
}

export function write(folder: string, path: string, content: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, path), text);
}

/** Simulates an installation: npm's record, and the Node with which the scripts run tools. */
export function pretendInstalled(folder: string, packages: object = {}): void {
  write(folder, 'package-lock.json', { packages });
  write(folder, 'node_modules/.package-lock.json', { packages });
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
}
