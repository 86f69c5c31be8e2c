import { createHash } from 'node:crypto';
import { tool, vitest } from './steps.mjs';

/**
 * The parts of `npm run test:all`: the whole matrix, of which `npm test` runs a small part of each. `minutes`
 * is the time on two processors, rounded up. The other fields are those of the steps in steps.mjs. A part
 * takes at most 20 minutes, so that each slice has several.
 */
export const PARTS = [
  windows('firefox', 'playwright.spec', '--project=firefox', '--project=firefox-frames'),
  windows('webkit', 'webkit.spec', '--project=webkit'),
  {
    ...withAllChecks(
      browserTests('pages', 'every-state.spec', 'docs-site.spec', '--project=chromium'),
    ),
    minutes: 8,
    needs: ['build', 'site', 'browsers'],
  },
  focus('chromium'),
  focus('firefox'),
  focus('webkit'),
  conformance('fetch'),
  conformance('http-server'),
  conformance('msw-2'),
  conformance('msw-3'),
  {
    ...withAllChecks(browserTests('conformance-browser', 'conformance.spec', '--project=chromium')),
    minutes: 4,
  },
  {
    name: 'consumers',
    minutes: 20,
    needs: ['build', 'browsers'],
    run: tool('node', 'scripts/consumers.mjs'),
  },
  {
    name: 'package-types',
    minutes: 2,
    needs: ['build'],
    report: 'package-types.json',
    // test/package/types.test.ts compiles in all modes. `npm test` compiles in three.
    env: { TYPE_CELLS: 'all' },
    run: (extra) => vitest('package-types', ['package'])(['test/package/types.test.ts', ...extra]),
  },
  { name: 'soak-deliveries', minutes: 10, run: simulate },
  {
    ...withAllChecks(
      unitTests('soak-partial', 'test/mock-server/send/simulation/partial-worlds.test.ts'),
    ),
    minutes: 2,
  },
  { name: 'soak-kills', minutes: 5, run: tool('node', 'test/soak/kill.ts', '60') },
  {
    ...unitTests('soak-sessions', 'test/mock-server/rules/sessions.model.test.ts'),
    minutes: 5,
    env: { MODEL_RUNS: '20000' },
  },
  {
    ...unitTests('soak-requests', 'test/mock-server/hosts/hostile.test.ts'),
    minutes: 5,
    env: { OFAGE_REQUESTS: '20000' },
  },
  { name: 'broken-services', minutes: 15, run: tool('node', 'test/mutation/service.ts') },
].map((part) => ({ ...part, isAlone: true }));

/** The time of a slice in minutes. The limit of the scheduled workflow leaves room for the installation. */
export const SLICE_MINUTES = 40;

/** The number of days that `soak-deliveries` simulates. */
const SOAK_DAYS = 50_000;

/** Returns parts in an order that depends on the seed, until the minutes are filled. */
export function chooseSlice(parts, { seed, minutes = SLICE_MINUTES }) {
  const hash = ({ name }) => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  let left = minutes;
  return parts
    .toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1))
    .filter((part) => {
      const fits = part.minutes <= left;
      if (fits) left -= part.minutes;
      return fits;
    });
}

/**
 * Returns the seed of the slice: `SEED`, or the date as a number such as 20261123.
 *
 * @throws RangeError if `SEED` is not a number
 */
export function readSeed() {
  const seed = process.env.SEED || new Date().toISOString().slice(0, 10).replaceAll('-', '');
  if (/^\d{1,9}$/.test(seed)) return Number(seed);
  throw new RangeError(`The seed must be a number of at most nine digits, got "${seed}"`);
}

/** Simulates other days for each seed. A violation prints the seed of its day. */
function simulate(extra) {
  const days = ['--from', `${readSeed() * SOAK_DAYS}`, '--scenarios', `${SOAK_DAYS}`];
  return tool('node', 'test/mock-server/send/simulation/soak.ts', ...days)(extra);
}

/**
 * Every scenario of windows in one engine, with all pairs of Cross-Origin-Opener-Policy. In Chromium,
 * `npm test` runs them.
 */
function windows(engine, ...args) {
  return { ...withAllChecks(browserTests(`windows-${engine}`, ...args)), minutes: 4 };
}

/** A shopper who returns or closes the window at many moments, with real windows. */
function focus(engine) {
  return {
    name: `focus-${engine}`,
    minutes: 9,
    needs: ['build', 'browsers'],
    run: tool('node', 'test/e2e/focus/matrix.ts', '--engines', engine),
  };
}

/** Every check of the conformance kit on one host. */
function conformance(host) {
  const part = unitTests(`conformance-${host}`, `test/conformance/${host}.test.ts`);
  return { ...withAllChecks(part), minutes: 2 };
}

/**
 * Runs the cases that `npm test` leaves out, such as the checks that test/conformance/transport-checks.ts does
 * not list.
 */
function withAllChecks(part) {
  return { ...part, env: { ...part.env, OFAGE_CHECKS: 'all' } };
}

function unitTests(name, file) {
  const run = vitest(name, ['node']);
  return { name, report: `${name}.json`, run: (extra) => run([file, ...extra]) };
}

function browserTests(name, ...args) {
  return {
    name,
    needs: ['build', 'browsers'],
    report: `${name}.json`,
    // Takes precedence over the path in Playwright's configuration.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: `reports/${name}.json` },
    run: tool('playwright', 'test', '-c', 'test/e2e/playwright.config.ts', ...args),
  };
}
