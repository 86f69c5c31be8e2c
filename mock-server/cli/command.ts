import type { ControlClient } from '../api/client.ts';
import type { Printer } from './printer.ts';

/** An option of a command, for the parser and for the help text. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** The placeholder of the value in the help text; absent for a switch. */
  readonly value?: string;
  readonly text: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The parsed options of a command, by name. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Runs a parsed command. Rejects with a readable message. Resolves to the exit code; undefined means 0. */
export type Run = (mock: ControlClient, print: Printer) => Promise<number | void>;

/** A command other than `start`. Most commands control a running mock. */
export interface Command {
  readonly name: string;
  /** The arguments after the command's name, such as `SESSION SCENARIO`. */
  readonly takes: string;
  readonly summary: string;
  /** The action in error messages, after "Cannot": `settle the session`. */
  readonly action: string;
  /** Further paragraphs of the help, in lines of at most 100 columns. */
  readonly details?: string;
  readonly options?: Options;
  /**
   * Parses the arguments.
   * @throws {RangeError} with a readable message if they are invalid
   */
  read(given: readonly string[], values: Values, env: Env): Run;
}

/** Checks that there is one argument for each name, and returns the arguments. */
export function requireArguments<const N extends readonly string[]>(
  command: string,
  names: N,
  given: readonly string[],
): { [K in keyof N]: string } {
  const missing = names[given.length];
  if (missing !== undefined) {
    throw new RangeError(`${command} takes ${names.join(' and ')}; ${missing} is missing`);
  }
  const extra = given.slice(names.length);
  if (extra.length > 0) {
    const taken = names.length === 0 ? 'no arguments' : names.join(' and ');
    throw new RangeError(`${command} takes ${taken}; unexpected argument "${extra.join(' ')}"`);
  }
  // The number of arguments was checked above.
  return given as unknown as { [K in keyof N]: string };
}

export function textOf(values: Values, option: string): string | undefined {
  const value = values[option];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Parses the value of an option that must be one of the choices. Returns undefined if the option is absent.
 */
export function choiceOf<T extends string>(
  values: Values,
  option: string,
  choices: readonly T[],
): T | undefined {
  const text = textOf(values, option);
  const choice = choices.find((one) => one === text);
  if (text === undefined || choice !== undefined) return choice;
  throw new RangeError(`--${option} must be one of ${choices.join(', ')}, got "${text}"`);
}

/** Parses the value of an option as an integer. Returns undefined if the option is absent. */
export function integerOf(
  values: Values,
  option: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = textOf(values, option);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new RangeError(`--${option} must be an integer from ${min} to ${max}, got "${text}"`);
}
