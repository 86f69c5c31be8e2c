/** A driver may do less than that of the mock. No check may fail for that reason. */
import { conform, type Driver, type Receiver } from 'ofage-mock/conformance';
import { expect, it } from 'vitest';
import { anImplementation } from './a-run.ts';

type Change = (driver: Required<Driver>) => Driver;

const withoutSecrets: Change = (driver) => ({
  ...driver,
  addEndpoint: async (endpoint) => ({ ...(await driver.addEndpoint(endpoint)), secret: null }),
  async setLegacyWebhook(...args) {
    await driver.setLegacyWebhook(...args);
    return null;
  },
});

const withoutPairs: Change = (driver) => ({
  ...driver,
  async createAccount(settings) {
    const { pairId: _pairId, ...account } = await driver.createAccount(settings);
    return account;
  },
});

const withoutClock: Change = ({ now: _now, ...driver }) => driver;

const withoutTime: Change = ({ now: _now, advance: _advance, ...driver }) => driver;

const withoutAccounts: Change = ({ createAccount: _createAccount, ...driver }) => driver;

const onlySettles: Change = ({ settle }) => ({ settle });

async function run(change: Change, only: string[], receiver?: (full: Receiver) => Receiver) {
  const { service, driver, options } = await anImplementation();
  const { tenantId } = await service.ready;
  // Checks of one account would wait for a new minute.
  await service.control.updateTenant(tenantId, { rateLimits: { create: 9_999, validate: 9_999 } });
  const full = options.receiver as Receiver;
  const results = await conform({
    ...options,
    receiver: receiver ? receiver(full) : full,
    driver: change(driver),
    level: 'reading',
    only,
    patienceMs: 500,
  });
  await driver.close();
  const idsOf = (wanted: string): string[] =>
    results.filter(({ status }) => status === wanted).map(({ id }) => id);
  return { passed: idsOf('passed'), failed: idsOf('failed'), skipped: idsOf('skipped') };
}

it('a driver that knows no secret skips only the checks that need it', async () => {
  const only = [
    'webhooks.signature',
    'webhooks.legacy',
    'webhooks.endpoints.test-event',
    'webhooks.pause.resume.test-succeeds',
  ];
  expect(await run(withoutSecrets, only)).toMatchObject({
    failed: [],
    skipped: ['webhooks.signature.bytes', 'webhooks.legacy.signed'],
  });
});

it('a driver that knows no secret skips the form of a signature that is not there', async () => {
  const unsigned: Change = (driver) => {
    const { addEndpoint } = withoutSecrets(driver) as Required<Driver>;
    return { ...driver, addEndpoint: (endpoint) => addEndpoint({ ...endpoint, secret: null }) };
  };
  expect(await run(unsigned, ['webhooks.signature.form'])).toMatchObject({
    failed: [],
    skipped: ['webhooks.signature.form'],
  });
});

it('a driver that knows no key pair skips only the checks of endpoints for one pair', async () => {
  expect(await run(withoutPairs, ['webhooks.endpoints'])).toMatchObject({
    failed: [],
    skipped: ['webhooks.endpoints.pair.other', 'webhooks.endpoints.pair.own'],
  });
});

it('a receiver with one origin skips only the redirect to another one', async () => {
  const only = ['webhooks.destinations.redirect'];
  const oneOrigin = ({ otherUrl: _otherUrl, ...rest }: Receiver): Receiver => rest;
  const { failed, passed } = await run((driver) => driver, only, oneOrigin);
  expect(failed).toEqual([]);
  expect(passed).toContain('webhooks.destinations.redirect.followed');
});

it.each<[why: string, change: Change, only: string[]]>([
  ['has no clock', withoutClock, ['events.end.payload', 'events.timeout', 'validate', 'session']],
  ['cannot let time pass', withoutTime, ['events.end.payload', 'validate', 'session']],
  ['cannot create accounts', withoutAccounts, ['create', 'validate', 'session', 'auth', 'limits']],
  ['can only end sessions', onlySettles, ['create', 'validate', 'session', 'states', 'auth']],
])('no check fails for a driver that %s', async (_why, change, only) => {
  const { failed, passed } = await run(change, only);
  expect(failed).toEqual([]);
  expect(passed.length).toBeGreaterThan(20);
});
