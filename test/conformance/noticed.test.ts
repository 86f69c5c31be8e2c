/**
 * Each check must fail for services that break what it is about. `noticed.txt` lists for every check the
 * distortions of a correct service for which it fails. A line that gets shorter is a check that proves less.
 *
 * `npm test` runs each check with the distortions of its line. With `OFAGE_CHECKS=all`, each check runs with
 * all distortions, so that nothing is missing in the list. Vitest's option `-u` then writes it anew.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../mock-server/conformance/check.ts';
import { RUNNABLE_CHECKS } from '../../mock-server/conformance/checks/index.ts';
import type { Need } from '../../mock-server/conformance/driver.ts';
import { ANSWERS } from './distortions/answers.ts';
import { DASHBOARD, EVERY_KIND } from './distortions/dashboard.ts';
import type { Distortion } from './distortions/distortion.ts';
import { runDistorted, type Run } from './distortions/run-distorted.ts';
import { PAYLOADS, WEBHOOKS } from './distortions/webhooks.ts';

const FILE = new URL('noticed.txt', import.meta.url);
const DISTORTIONS = [...ANSWERS, ...WEBHOOKS, ...PAYLOADS, ...DASHBOARD];

/** The checks that need no browser. `pages.test.ts` has broken pages for the others. */
const CHECKS = RUNNABLE_CHECKS.filter(({ opensPages }) => !opensPages);

/** The distortions of each line, by the id of the check. */
const NOTICED = new Map(
  readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', names = ''] = line.split(': ');
      return [id, names.split(', ')];
    }),
);

/**
 * Distortions of what one function compares for all checks of a kind, such as the fields of every error. It
 * is enough to try them with some of the checks.
 */
const COMMON = /^\.(sessionToken|handoffToken|verifyUrl|testMode|accessGranted|error|path)$/;
const WITH_COMMON =
  /^(create\.response|session\.|validate\.(result|deprecated)|auth\.missing|routes)/;

/** Pairs of a check and a distortion whose result depends on the moment of a retry. */
const BY_CHANCE: Readonly<Record<string, string>> = {
  'events.end.policy': 'advance has no effect',
  'webhooks.pause.rejecting.interrupted': 'advance has no effect',
  'webhooks.endpoints.pair.own': 'every success counts as a failure',
};

/** Leaves out the distortions that would break the preparations of a check, or that it cannot meet. */
function distortionsFor({ id }: Check, { called, paths }: Run): readonly Distortion[] {
  const hasWebhooks = called.has('addEndpoint') || called.has('setLegacyWebhook');
  const usesDriver = ({ driver }: Distortion): boolean =>
    Object.keys(driver?.({} as never) ?? {}).some((name) => called.has(name as Need));
  const possible = [
    ...(hasWebhooks && !paths.at(-1)?.endsWith('/validate') ? [] : ANSWERS),
    ...(hasWebhooks ? WEBHOOKS : []),
    ...(hasWebhooks && /^events\.|timestamp|same/.test(id) ? PAYLOADS : []),
    ...DASHBOARD.filter(usesDriver),
  ];
  return possible.filter(({ name }) => {
    if (COMMON.test(name)) return WITH_COMMON.test(id);
    // Elsewhere, another event of the session changes the counts by chance.
    if (name === EVERY_KIND) return id.startsWith('events.');
    return BY_CHANCE[id] !== name;
  });
}

async function findNoticed(
  check: Check,
  distortions: readonly Distortion[],
  { paths }: Run,
): Promise<string[]> {
  const noticed: string[] = [];
  for (const distortion of distortions) {
    const { result } = await runDistorted(check, distortion, paths.length);
    if (result.status === 'failed') noticed.push(distortion.name);
  }
  return noticed;
}

if (process.env.OFAGE_CHECKS === 'all')
  it('the list of what checks notice is complete', { timeout: 3_600_000 }, async () => {
    const lines: string[] = [];
    for (const check of CHECKS) {
      const run = await runDistorted(check);
      const noticed = await findNoticed(check, distortionsFor(check, run), run);
      lines.push(`${check.id}: ${noticed.join(', ')}\n`);
    }
    await expect(lines.join('')).toMatchFileSnapshot(FILE.pathname);
  });

it('the list contains every check, and at least one distortion for each', () => {
  expect([...NOTICED.keys()]).toEqual(CHECKS.map(({ id }) => id));
  expect([...NOTICED].filter(([, names]) => names.join('') === '')).toEqual([]);
});

/** Checks that declare one function too much, because their group needs it. */
const DECLARES_MORE = [
  'webhooks.pause.failing.dns',
  'webhooks.redelivery.during-pause',
  'webhooks.legacy.beside-twenty',
];

/** Checks of which only one example needs a function. The kit skips that example alone. */
const DECLARES_LESS = ['validate.result.pending.not-consumed'];

/**
 * Compares what a check declares with what it did. An undeclared function would fail it where the driver
 * has none, and a needless one would skip it.
 */
function expectDeclared({ id, needs, kind }: Check, { called, movedMs }: Run): void {
  const isSlow = movedMs > 1_000;
  expect(isSlow ? ['slow'] : ['safe', 'destructive']).toContain(kind);
  // The kit itself calls these for every check, or for every check of webhooks.
  const ofKit = ['now', 'createAccount', 'removeEndpoint', ...(isSlow ? [] : ['advance'])];
  const undeclared = [...called].filter((name) => !needs.includes(name) && !ofKit.includes(name));
  expect(DECLARES_LESS.includes(id) ? [] : undeclared).toEqual([]);
  const needless = needs.filter((name) => !called.has(name));
  expect(DECLARES_MORE.includes(id) ? [] : needless).toEqual([]);
}

describe('a check declares what it does, and notices each distortion of its line:', () => {
  it.each(CHECKS)('$id', async (check) => {
    const run = await runDistorted(check);
    expect(run.result).toMatchObject({ status: 'passed' });
    expectDeclared(check, run);
    const names = NOTICED.get(check.id) ?? [];
    const listed = DISTORTIONS.filter(({ name }) => names.includes(name));
    expect(await findNoticed(check, listed, run)).toEqual(names);
  });
});
