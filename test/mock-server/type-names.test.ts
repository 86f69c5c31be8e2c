/** Compares the names of the exported types of the mock, which one file may import from several folders. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../mock-server/', import.meta.url);

/** The folders that can import each other. The conformance kit and the helpers for tests stand alone. */
const FOLDERS = [
  'api',
  'store',
  'rules',
  'send',
  'doctor',
  'service',
  'hosts',
  'cli',
  'help',
  'words',
];

const exported = globSync(`{${FOLDERS.join(',')}}/**/*.ts`, { cwd: ROOT }).flatMap((file) =>
  Array.from(
    readFileSync(new URL(file, ROOT), 'utf8').matchAll(/^export (?:interface|type|class) (\w+)/gm),
    ([, name = '']) => ({ name, file }),
  ),
);

it('each exported type of the mock has a name of its own', () => {
  expect(exported.length).toBeGreaterThan(100);
  const shared = exported.filter(({ name, file }) =>
    exported.some((other) => other.name === name && other.file !== file),
  );
  expect(shared).toEqual([]);
});
