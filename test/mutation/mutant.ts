import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One way in which the code could be wrong: a piece of its text, and what stands there instead. */
export interface Mutant {
  readonly name: string;
  /** Below the folder that is broken. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The unit test that has to notice, where the usual tests of its kind cannot. */
  readonly test?: string;
}

/**
 * Breaks the text of a mutant's file.
 * @throws {Error} when the piece does not stand there exactly once: then the mutant is out of date
 */
export function breakText(text: string, { name, file, find, replace }: Mutant): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`Cannot make "${name}": its text stands ${parts.length - 1} times in ${file}`);
  return parts.join(replace);
}

/** Breaks the file in a copy of the mutant's folder. */
export function mutate(folder: string, mutant: Mutant): void {
  const path = join(folder, mutant.file);
  writeFileSync(path, breakText(readFileSync(path, 'utf8'), mutant));
}
