import { readFileSync } from 'node:fs';

/**
 * Reads and parses a JSON file.
 * @throws {Error} with a message that does not name the file, because the caller names it
 */
export function readJsonFile(file: string): unknown {
  return parseJson(readText(file));
}

function readText(file: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new Error(
      code === 'ENOENT'
        ? 'the file does not exist'
        : `it cannot be read (${code ?? String(cause)})`,
      { cause },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const place = /\(line \d+ column \d+\)/.exec(String(cause))?.[0];
    throw new Error(`it is not JSON${place === undefined ? '' : ` ${place}`}`, { cause });
  }
}
