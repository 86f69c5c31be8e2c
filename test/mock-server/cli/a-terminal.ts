import { run } from '../../../mock-server/cli/run.ts';

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, as on a terminal or into a pipe, and gives what it said. */
export async function type(
  argv: readonly string[],
  { env = {}, isTTY = false }: { env?: Record<string, string>; isTTY?: boolean } = {},
): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  const code = await run(argv, {
    env,
    stdout: { isTTY, write: (text) => (said.stdout += text) },
    stderr: { isTTY, write: (text) => (said.stderr += text) },
  });
  return { code, ...said };
}
