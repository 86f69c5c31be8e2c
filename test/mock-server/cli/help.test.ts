import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../mock-server/cli/commands.ts';
import { toCommandHelp, toHelp, toStartHelp } from '../../../mock-server/cli/help.ts';
import { parseInvocation } from '../../../mock-server/cli/invocation.ts';

describe('the top-level help', () => {
  it('lists every command with its required arguments and a summary', () => {
    for (const { name, takes, summary } of COMMANDS) {
      const line = toHelp()
        .split('\n')
        .find((text) => text.startsWith(`  ${name} `));
      expect(line, name).toContain(summary);
      if (!takes.startsWith('[')) expect(line, name).toContain(takes);
    }
  });
});

describe.each(COMMANDS.map((command) => [command.name, command] as const))(
  'the help text of %s',
  (name, command) => {
    it('shows the usage and lists every option', () => {
      const text = toCommandHelp(command);
      expect(text).toContain(`\n  ${`ofage-mock ${name} ${command.takes}`.trim()} [options]\n`);
      for (const option of [
        'url',
        'json',
        'help',
        'version',
        ...Object.keys(command.options ?? {}),
      ])
        expect(text).toMatch(new RegExp(`^  (-\\w, )?--${option}( |$)`, 'm'));
    });

    it('is printed by --help and by the help command', () => {
      const text = toCommandHelp(command);
      for (const argv of [
        [name, '--help'],
        [name, '-h', 'anything'],
        ['help', name],
      ])
        expect(parseInvocation(argv)).toEqual({ kind: 'help', text });
    });
  },
);

it('start --help and help start print the help text of start, and --help prints the top-level one', () => {
  expect(parseInvocation(['start', '--help'])).toEqual({ kind: 'help', text: toStartHelp() });
  expect(parseInvocation(['help', 'start'])).toEqual({ kind: 'help', text: toStartHelp() });
  expect(parseInvocation(['--help'])).toEqual({ kind: 'help', text: toHelp() });
});

it.each([
  ['the program', toHelp()] as const,
  ['start', toStartHelp()] as const,
  ...COMMANDS.map((command) => [command.name, toCommandHelp(command)] as const),
])('the help text of %s fits into 100 columns', (_name, text) => {
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
});

it('help rejects an unknown command and suggests a similar one', () => {
  expect(parseInvocation(['help', 'evnts'])).toMatchObject({
    kind: 'misuse',
    message: 'Unknown command "evnts"; did you mean events? (see ofage-mock --help)',
  });
});
