import { createHash } from 'node:crypto';
import { playwright, tool, vitest } from './steps.mjs';

/**
 * Runs the cases that `npm test` leaves out, such as the checks that test/conformance/transport-checks.ts does
 * not list.
 */
const ALL_CHECKS = { OFAGE_CHECKS: 'all' };

/**
 * The parts of `npm run test:all`: the whole matrix, of which `npm test` runs a small part of each. `minutes`
 * is the time on two processors, rounded up. The other fields are those of the steps in steps.mjs. A part
 * takes at most 20 minutes, so that each slice has several.
 *
 * @type {readonly { name: string, minutes: number }[]}
 */
export const PARTS = [
  // Every scenario of windows, with all pairs of Cross-Origin-Opener-Policy.
  browserTests('windows-chromium', {
    minutes: 2,
    env: ALL_CHECKS,
    // `npm test` runs the others in Chromium.
    args: ['playwright.spec', '-g', 'opener policies', '--project=chromium-windows'],
  }),
  browserTests('windows-firefox', {
    minutes: 4,
    env: ALL_CHECKS,
    args: ['playwright.spec', 'tabs.spec', '--project=firefox', '--project=firefox-frames'],
  }),
  browserTests('windows-webkit', {
    minutes: 4,
    env: ALL_CHECKS,
    args: ['webkit.spec', '--project=webkit'],
  }),
  browserTests('pages', {
    minutes: 8,
    env: ALL_CHECKS,
    needs: ['build', 'site', 'browsers'],
    args: ['every-state.spec', 'docs-site.spec', '--project=chromium'],
  }),
  // A shopper who returns or closes the window at many moments, with real windows.
  ...['chromium', 'firefox', 'webkit'].map((engine) => ({
    name: `focus-${engine}`,
    minutes: 9,
    needs: ['build', 'browsers'],
    run: tool('node', 'test/e2e/focus/matrix.ts', '--engines', engine),
  })),
  // Every check of the conformance kit on one host.
  ...['fetch', 'http-server', 'msw-2', 'msw-3'].map((host) =>
    unitTests(`conformance-${host}`, {
      minutes: 2,
      env: ALL_CHECKS,
      file: `test/conformance/${host}.test.ts`,
    }),
  ),
  browserTests('conformance-browser', {
    minutes: 4,
    env: ALL_CHECKS,
    args: ['conformance.spec', '--project=chromium'],
  }),
  {
    name: 'consumers-full',
    minutes: 20,
    needs: ['build', 'browsers'],
    run: tool('node', 'test/consumers/main.ts'),
  },
  unitTests('package-types', {
    minutes: 2,
    needs: ['build'],
    project: 'package',
    // This test compiles in all modes. `npm test` compiles in three.
    env: { TYPE_CELLS: 'all' },
    file: 'test/package/types.test.ts',
  }),
  { name: 'soak-deliveries', minutes: 10, run: simulate },
  unitTests('soak-partial', {
    minutes: 2,
    env: ALL_CHECKS,
    file: 'test/mock-server/send/simulation/partial-worlds.test.ts',
  }),
  { name: 'soak-kills', minutes: 5, run: tool('node', 'test/soak/kill.ts', '60') },
  unitTests('soak-sessions', {
    minutes: 5,
    project: 'node-sharing',
    env: { MODEL_RUNS: '20000' },
    file: 'test/mock-server/rules/sessions.model.test.ts',
  }),
  unitTests('soak-requests', {
    minutes: 5,
    env: { OFAGE_REQUESTS: '20000' },
    file: 'test/mock-server/hosts/hostile.test.ts',
  }),
  unitTests('noticed-checks', {
    minutes: 5,
    env: ALL_CHECKS,
    file: 'test/conformance/noticed.test.ts',
  }),
].map((part) => ({ ...part, isAlone: true }));

/** The time of a slice in minutes. The limit of the scheduled workflow leaves room for the installation. */
export const SLICE_MINUTES = 40;

/** The number of days that `soak-deliveries` simulates. */
const SOAK_DAYS = 50_000;

/**
 * Returns parts in an order that depends on the seed, until the minutes are filled.
 *
 * @template {{ name: string, minutes: number }} Part
 * @param {readonly Part[]} parts
 * @param {{ seed: number, minutes?: number }} options
 */
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

function unitTests(name, { file, project = 'node', ...part }) {
  const report = `${name}.json`;
  const run = vitest(report, [project]);
  return { name, report, ...part, run: (extra) => run([file, ...extra]) };
}

function browserTests(name, { args, env, needs = ['build', 'browsers'], ...part }) {
  const report = `${name}.json`;
  // Takes precedence over the path in Playwright's configuration.
  const path = { PLAYWRIGHT_JSON_OUTPUT_FILE: `reports/${report}` };
  return { name, report, needs, ...part, env: { ...env, ...path }, run: playwright(...args) };
}
