// Writes dist/integrity.json, which has the integrity attribute of each file that a script tag can load.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = new URL('../dist/', import.meta.url);

/** Returns the hash of a file's bytes in the format of Subresource Integrity. */
export function hash(bytes) {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = readdirSync(dist).filter((name) => name.endsWith('.min.js'));
  const hashes = names.map((name) => [name, hash(readFileSync(new URL(name, dist)))]);
  const text = JSON.stringify(Object.fromEntries(hashes), null, 2);
  writeFileSync(new URL('integrity.json', dist), `${text}\n`);
}
