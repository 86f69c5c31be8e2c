import { createControlClient } from '../api/client.ts';
import { reasonOf } from '../store/errors.ts';
import { type Invocation, parseInvocation } from './invocation.ts';
import { describeFailure } from './mock-address.ts';
import { createPrinter } from './printer.ts';
import { start } from './start.ts';
import { mayColour, toComplaint } from './terminal.ts';
import { VERSION } from './version.ts';

/** The parts of the process that the command line uses. */
interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Runs a command line.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for invalid usage, such as an unknown option
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const invocation = parseInvocation(argv, terminal.env);
  switch (invocation.kind) {
    case 'help':
      terminal.stdout.write(invocation.text);
      return 0;
    case 'version':
      terminal.stdout.write(`${VERSION}\n`);
      return 0;
    case 'misuse':
      complain(terminal, invocation.message);
      return 2;
    case 'start':
      return await start(invocation.options).catch((error: unknown) => {
        complain(terminal, reasonOf(error));
        return 1;
      });
    case 'command':
      return await runCommand(invocation, terminal).catch((error: unknown) => {
        const reason = describeFailure(error, invocation.url);
        complain(terminal, toFailure(invocation.command.action, reason));
        return 1;
      });
  }
}

type CommandInvocation = Extract<Invocation, { kind: 'command' }>;

async function runCommand(
  { run, url, isJson }: CommandInvocation,
  { stdout, stderr, env }: Terminal,
): Promise<number> {
  const isColoured = mayColour(stdout, env);
  const print = createPrinter({
    isJson,
    isColoured,
    write: (text) => void stdout.write(text),
    writeNote: (text) => void stderr.write(text),
  });
  return (await run(createControlClient({ baseUrl: url }), print)) ?? 0;
}

/** Adds the action to the reason. Some messages of the service already begin with "Cannot". */
function toFailure(action: string, reason: string): string {
  return reason.startsWith('Cannot ') ? reason : `Cannot ${action}: ${reason}`;
}

function complain({ stderr }: Terminal, message: string): void {
  stderr.write(toComplaint(message));
}
