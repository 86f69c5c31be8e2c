import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One possible fault in the code: a piece of its text and the replacement. */
export interface Mutant {
  readonly name: string;
  /** Path of the file, relative to the mutated folder. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * Applies a mutant to the text of its file.
 * @throws {Error} if the piece does not occur exactly once, because the mutant is then out of date
 */
export function breakText(text: string, { name, file, find, replace }: Mutant): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`Cannot apply "${name}": its text occurs ${parts.length - 1} times in ${file}`);
  return parts.join(replace);
}

/** Applies the mutant in a copy of its folder. */
export function mutate(folder: string, mutant: Mutant): void {
  const path = join(folder, mutant.file);
  writeFileSync(path, breakText(readFileSync(path, 'utf8'), mutant));
}
