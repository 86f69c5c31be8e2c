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
 * Breaks the file in a copy of that folder.
 * @throws {Error} when the text does not stand there exactly once: then the mutant is out of date
 */
export function mutate(folder: string, { name, file, find, replace }: Mutant): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(`Cannot make "${name}": its text stands ${parts.length - 1} times in ${path}`);
  writeFileSync(path, parts.join(replace));
}
