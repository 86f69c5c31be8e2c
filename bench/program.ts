import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const GIGABYTE = 2 ** 30;

/** Returns the path of a program in this folder, such as `webhooks/queue`. */
export const programPath = (name: string): string =>
  fileURLToPath(new URL(`${name}.ts`, import.meta.url));

/** Runs a program of this folder in a process of its own. Returns the JSON that it prints. */
export async function runProgram<T>(
  name: string,
  args: readonly string[],
  { nodeOptions = [] }: { nodeOptions?: readonly string[] } = {},
): Promise<T> {
  const { stdout } = await execute(process.execPath, [...nodeOptions, programPath(name), ...args], {
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout) as T;
}
