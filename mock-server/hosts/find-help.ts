import { HELP, type HelpEntry } from './help-entries.ts';
import { nearest } from './nearest.ts';

/** The help about a code. If there is none, `nearest` is the code that was probably meant. */
export interface FoundHelp {
  readonly entries: readonly HelpEntry[];
  readonly nearest: string | undefined;
}

/** Finds the help about a code, which may come from the SDK, the server kit and the doctor. */
export function findHelp(code: string): FoundHelp {
  const entries = HELP.filter((entry) => entry.code === code);
  const codes = [...new Set(HELP.map((entry) => entry.code))];
  return { entries, nearest: entries.length > 0 ? undefined : nearest(code, codes) };
}
