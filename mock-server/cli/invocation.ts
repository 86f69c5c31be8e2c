import { parseArgs } from 'node:util';
import { DEFAULT_URL } from '../api/client.ts';
import { nearest } from '../api/nearest.ts';
import { reasonOf } from '../store/errors.ts';
import { parseStart, START_OPTIONS, type StartOptions } from './start-options.ts';
import type { Command, Env, Option, Options, Run, Values } from './command.ts';
import { COMMANDS } from './commands.ts';
import { COMMON_OPTIONS, MOCK_OPTIONS, toCommandHelp, toHelp, toStartHelp } from './help.ts';
import { parseMockUrl } from './mock-address.ts';

/** A parsed command line. */
export type Invocation =
  | { kind: 'start'; options: StartOptions }
  | { kind: 'command'; command: Command; run: Run; url: string; isJson: boolean }
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  | { kind: 'misuse'; message: string };

/** Parses the command line. Invalid input is returned as a usage error with a message, never thrown. */
export function parseInvocation(argv: readonly string[], env: Env = {}): Invocation {
  const typed = findCommandName(argv);
  const name = typed ?? 'start';
  const command = COMMANDS.find((one) => one.name === name);
  const toOwnHelp = typed === 'start' ? toStartHelp : toHelp;
  try {
    if (name !== 'help' && name !== 'start' && !command) {
      // Reports an unknown option first. Otherwise its value would be mistaken for a command name.
      parseWords(argv, ALL_OPTIONS);
      return refuseCommand(name);
    }
    const { values, words } = parseWords(argv, optionsOf(command));
    if (name === 'help') return helpOn(words[0]);
    if (values['help'] === true)
      return { kind: 'help', text: command ? toCommandHelp(command) : toOwnHelp() };
    if (values['version'] === true) return { kind: 'version' };
    if (!command) return { kind: 'start', options: parseStart(words, values) };
    const run = command.read(words, values, env);
    return {
      kind: 'command',
      command,
      run,
      url: findUrl(values, env),
      isJson: values['json'] === true,
    };
  } catch (error) {
    const message = reasonOf(error);
    return { kind: 'misuse', message: `${message} (see ${toSeeAlso(command)})` };
  }
}

function toSeeAlso(command: Command | undefined): string {
  return command ? `ofage-mock ${command.name} --help` : 'ofage-mock --help';
}

function optionsOf(command: Command | undefined): Options {
  return command
    ? { ...command.options, ...MOCK_OPTIONS, ...COMMON_OPTIONS }
    : { ...START_OPTIONS, ...COMMON_OPTIONS };
}

const ALL_OPTIONS = Object.assign({}, ...[undefined, ...COMMANDS].map(optionsOf)) as Options;

/** Returns the first argument that is neither an option nor an option's value. */
function findCommandName(argv: readonly string[]): string | undefined {
  return readWords(argv, ALL_OPTIONS, { strict: false }).positionals[0];
}

function parseWords(
  argv: readonly string[],
  options: Options,
): { values: Values; words: readonly string[] } {
  try {
    const { values, positionals } = readWords(argv, options, { strict: true });
    return { values, words: positionals.slice(1) };
  } catch (error) {
    throw new RangeError(toSentence(error, argv, Object.keys(options)), { cause: error });
  }
}

function readWords(
  argv: readonly string[],
  options: Options,
  { strict }: { readonly strict: boolean },
): { values: Values; positionals: string[] } {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, toConfig(option)]),
  );
  const read = { args: [...argv], options: config, strict, allowPositionals: true };
  const { values, positionals } = parseArgs({ ...read, allowNegative: true });
  // No option is declared with `multiple`, so no value is an array.
  return { values: values as Values, positionals };
}

function toConfig({ type, short }: Option): { type: Option['type']; short?: string } {
  return short === undefined ? { type } : { type, short };
}

/** Reduces the message of parseArgs to one sentence, and adds a hint if possible. */
function toSentence(error: unknown, argv: readonly string[], options: readonly string[]): string {
  const message = reasonOf(error);
  const [first = message] = (message.split('\n')[0] ?? message).split('. ');
  const [, unfilled] =
    /^Option '(?:-\w, )?(--[\w-]+).*' argument (?:is ambiguous|missing)/.exec(first) ?? [];
  if (unfilled !== undefined) return toMissingValue(unfilled, argv);
  const unknown = /^Unknown option '--(?:no-)?([^']+)'/.exec(first)?.[1];
  const meant = unknown === undefined ? undefined : nearest(unknown, options);
  return first.replace(/\.$/, '') + (meant === undefined ? '' : `; did you mean --${meant}?`);
}

function toMissingValue(option: string, argv: readonly string[]): string {
  const next = argv[argv.indexOf(option) + 1];
  return next === undefined
    ? `${option} needs a value`
    : `${option} needs a value, and "${next}" looks like an option; if it is the value, write ${option}=${next}`;
}

function findUrl(values: Values, env: Env): string {
  const { url } = values;
  if (typeof url === 'string') return parseMockUrl('--url', url);
  const fromEnv = env['OFAGE_MOCK_URL'];
  return fromEnv ? parseMockUrl('OFAGE_MOCK_URL', fromEnv) : DEFAULT_URL;
}

function helpOn(name: string | undefined): Invocation {
  if (name === undefined || name === 'help') return { kind: 'help', text: toHelp() };
  if (name === 'start') return { kind: 'help', text: toStartHelp() };
  const command = COMMANDS.find((one) => one.name === name);
  return command ? { kind: 'help', text: toCommandHelp(command) } : refuseCommand(name);
}

function refuseCommand(name: string): Invocation {
  const names = ['start', ...COMMANDS.map((command) => command.name)];
  const meant = nearest(name, names);
  const hint =
    meant === undefined ? `supported commands: ${names.join(', ')}` : `did you mean ${meant}?`;
  return { kind: 'misuse', message: `Unknown command "${name}"; ${hint} (see ofage-mock --help)` };
}
