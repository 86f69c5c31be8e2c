/**
 * Breaks files with general operators, one place at a time, and checks that a test fails. The places are a
 * sample that depends on the seed:
 * `node test/mutation/generic.ts --seed 1 --count 40 --test test/sdk/urls.test.ts src/urls.ts`.
 * With `--scenarios 300`, the simulation of webhook delivery runs before the tests. With `--list`, the places
 * are only listed. Exits with code 1 if a mutant survives. A survivor is a place that no test covers, or a
 * change that makes no difference: read each of them.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDice } from '../mock-server/send/simulation/dice.ts';
import { chosenNumber } from '../support/chosen.ts';
import { inCopy } from './in-copy.ts';
import { findPlaces, type Place } from './operators.ts';
import { runTests } from './run-tests.ts';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    test: { type: 'string', multiple: true, default: [] },
    scenarios: { type: 'string', default: '0' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** A mutant that loops is stopped after this time, and counts as caught. */
const TIMEOUT_MS = 300_000;

if (values.help || files.length === 0)
  console.log(readFileSync(import.meta.filename, 'utf8').split('*/')[0]);
else await main();

async function main(): Promise<void> {
  const places = files.flatMap((file) => findPlaces(file, readFileSync(file, 'utf8')));
  const count = chosenNumber('--count', values.count);
  const sample = pick(places, count, chosenNumber('--seed', values.seed, 0));
  if (sample.length === 0) throw new RangeError(`Nothing can be changed in ${files.join(', ')}`);
  console.log(`${sample.length} of ${places.length} places`);
  if (values.list) return sample.forEach((place) => console.log(toName(place)));
  let survivors = 0;
  await inCopy(async (copy) => {
    const broken = await findFailure(copy);
    if (broken !== null) throw new Error(`The tests fail without any change: ${broken}`);
    for (const place of sample) {
      const path = join(copy, place.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.slice(0, place.start) + place.replace + text.slice(place.end));
      const failure = await findFailure(copy);
      writeFileSync(path, text);
      if (failure === null) survivors += 1;
      console.log(`${failure === null ? 'SURVIVED' : 'caught  '}  ${toName(place)}`);
      if (failure !== null) console.log(`          ${failure.split('\n')[0]?.slice(0, 120)}`);
    }
  });
  console.log(`${sample.length - survivors} of ${sample.length} caught`);
  process.exitCode = survivors > 0 ? 1 : 0;
}

/** Picks some of the places. The same seed picks the same ones. */
function pick(places: readonly Place[], count: number, seed: number): Place[] {
  const dice = createDice(seed);
  const rest = [...places];
  const picked: Place[] = [];
  while (picked.length < count && rest.length > 0)
    picked.push(...rest.splice(dice.below(rest.length), 1));
  return picked;
}

function toName({ file, line, operator, before, replace }: Place): string {
  const flat = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line} ${operator}: ${flat(before)} -> ${flat(replace)}`;
}

/** Returns the first failure of the simulation or the tests, or null. */
async function findFailure(copy: string): Promise<string | null> {
  if (values.scenarios !== '0') {
    const failure = await simulate(copy);
    if (failure !== null) return failure;
  }
  if (values.test.length === 0) return null;
  const [failed] = await runTests(copy, values.test);
  return failed ?? null;
}

function simulate(copy: string): Promise<string | null> {
  const soak = join(copy, 'test/mock-server/send/simulation/soak.ts');
  const args = [soak, '--scenarios', values.scenarios];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? null : output || 'it did not finish in time');
    });
  });
}
