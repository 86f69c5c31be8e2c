import { START_OPTIONS } from './start-options.ts';
import type { Command, Option, Options } from './command.ts';
import { COMMANDS } from './commands.ts';
import { DEFAULT_URL } from '../api/client.ts';

/** Options of every command. */
export const COMMON_OPTIONS: Options = {
  help: { type: 'boolean', short: 'h', text: 'print this help' },
  version: { type: 'boolean', short: 'v', text: 'print the version' },
};

/** Options of every command except `start`. */
export const MOCK_OPTIONS: Options = {
  url: { type: 'string', value: 'URL', text: `address of the mock (default ${DEFAULT_URL})` },
  json: { type: 'boolean', text: 'print JSON, one result per line' },
};

export function toHelp(): string {
  return toText([
    'ofage-mock: the OfAge service on this machine',
    ['Usage', ['ofage-mock [start] [options]', 'ofage-mock COMMAND [options]']],
    ['Commands (most use a running mock)', toColumns(COMMANDS.map(toRow))],
    ['Options of start', toOptionLines({ ...START_OPTIONS, ...COMMON_OPTIONS })],
    [
      'Options of other commands',
      [...toOptionLines(MOCK_OPTIONS), 'more options: ofage-mock COMMAND --help'],
    ],
    [
      'Environment',
      toColumns([
        ['OFAGE_MOCK_URL', 'address of the mock, unless --url is set'],
        ['NO_COLOR', 'any value turns colours off'],
      ]),
    ],
    [
      'Exit codes',
      toColumns([
        ['0', 'success'],
        ['1', 'the command failed'],
        ['2', 'invalid usage, such as an unknown command or option'],
      ]),
    ],
  ]);
}

export function toStartHelp(): string {
  return toText([
    'ofage-mock start: run the mock (the default command)',
    ['Usage', ['ofage-mock [start] [options]']],
    ['Options', toOptionLines({ ...START_OPTIONS, ...COMMON_OPTIONS })],
  ]);
}

export function toCommandHelp(command: Command): string {
  const { name, summary, details } = command;
  const options = { ...command.options, ...MOCK_OPTIONS, ...COMMON_OPTIONS };
  return toText([
    `ofage-mock ${name}: ${summary}`,
    ['Usage', [`ofage-mock ${toUsage(command)} [options]`]],
    ...(details === undefined ? [] : [details]),
    ['Options', toOptionLines(options)],
  ]);
}

type Part = string | readonly [title: string, lines: readonly string[]];

function toText(parts: readonly Part[]): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : [part[0], ...part[1].map((line) => `  ${line}`)].join('\n'),
  );
  return `${texts.join('\n\n')}\n`;
}

function toUsage({ name, takes }: Command): string {
  return takes === '' ? name : `${name} ${takes}`;
}

/** The overview shortens optional arguments to `[…]`. The command's own help lists them. */
function toRow(command: Command): readonly [string, string] {
  return [
    toUsage({ ...command, takes: command.takes.replace(/^\[.*\]$/, '[…]') }),
    command.summary,
  ];
}

function toOptionLines(options: Options): string[] {
  return toColumns(
    Object.entries(options).map(([name, option]) => [toFlag(name, option), option.text]),
  );
}

function toFlag(name: string, { short, value }: Option): string {
  return [
    ...(short === undefined ? [] : [`-${short},`]),
    `--${name}`,
    ...(value ? [value] : []),
  ].join(' ');
}

const NARROW = 26;

function toColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(NARROW, ...rows.map(([left]) => left.length + 2));
  return rows.map(([left, right]) => left.padEnd(width) + right);
}
