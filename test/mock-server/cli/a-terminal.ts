import { run } from '../../../mock-server/cli/run.ts';

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, as on a terminal or in a pipe, and returns its output. */
export async function type(
  argv: readonly string[],
  { env = {}, isTTY = false }: { env?: Record<string, string>; isTTY?: boolean } = {},
): Promise<Said> {
  const output = { stdout: '', stderr: '' };
  const code = await run(argv, {
    env,
    stdout: { isTTY, write: (text) => (output.stdout += text) },
    stderr: { isTTY, write: (text) => (output.stderr += text) },
  });
  return { code, ...output };
}
