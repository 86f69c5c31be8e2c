import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { aFolder } from '../../support/folder.ts';
import { openMock, type Mock, type MockOptions } from '../../support/a-mock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { isInFiles } from '../store/logs/sqlite-cases.ts';
import { waitFor } from '../../support/wait-for.ts';

const DAYS_9 = 9 * 86_400_000;
const USER = 'alice-of-the-shop';
const OLD_KEY = 'sk_an_old_key_of_the_shop';

/** Creates data in every table: a session with its events, requests, observations and endpoints. */
async function makeData({ control, create, tenantId }: Mock): Promise<void> {
  await control.createEndpoint(tenantId, { url: `https://shop.example/${USER}/hooks` });
  const { sessionId } = await create({ externalUserId: USER, merchantName: USER });
  await control.addObservation({ kind: 'access_granted', sessionId, by: USER });
  await control.settle(sessionId, 'verified');
  await create({ externalUserId: USER, challengeAge: 'x' });
}

/** Deletions, with the text that is then deleted. */
const DELETIONS: Readonly<Record<string, (my: Mock) => Promise<string>>> = {
  async 'retention of a session'(my) {
    const text = 'bob-of-the-shop';
    const { sessionId } = await my.create({ externalUserId: text, merchantName: text });
    await my.control.settle(sessionId, 'verified');
    await my.clock.advance(DAYS_9);
    return text;
  },
  async 'a reset'(my) {
    await makeData(my);
    await my.control.reset();
    return USER;
  },
  async 'a loaded snapshot'(my) {
    const snapshot = await my.control.snapshot();
    await makeData(my);
    await my.control.loadSnapshot(snapshot);
    return USER;
  },
  async 'a rotated secret'(my) {
    const url = 'https://shop.example/hooks';
    const { id, secret } = await my.control.createEndpoint(my.tenantId, { url });
    await my.control.rotateSecret(id);
    return String(secret);
  },
  async 'a deleted endpoint'(my) {
    const url = 'https://shop.example/hooks';
    // Without any endpoint, a restart would reserve a new secret for the next one.
    await my.control.createEndpoint(my.tenantId, { url: `${url}/other` });
    const { id, secret } = await my.control.createEndpoint(my.tenantId, { url });
    await my.control.deleteEndpoint(id);
    return String(secret);
  },
  async 'a deleted legacy webhook'(my) {
    const secret = 'the secret of a legacy webhook';
    await my.control.putLegacyWebhook(my.tenantId, { url: 'https://shop.example/', secret });
    await my.control.deleteLegacyWebhook(my.tenantId);
    return secret;
  },
  async 'a member who was removed'(my) {
    const email = 'alice@shop.example';
    await my.control.updateTenant(my.tenantId, { members: [{ email, role: 'owner' }] });
    await my.control.updateTenant(my.tenantId, { members: [] });
    return email;
  },
};

async function aMockInAFile(options: MockOptions = {}) {
  const folder = aFolder();
  const realClock = createManualClock();
  const open = (more: MockOptions = {}): Promise<Mock> =>
    openMock({ log: openSqliteLog(join(folder, 'mock.sqlite')), realClock, ...options, ...more });
  return { my: await open(), open, folder, realClock };
}

it.each(Object.keys(DELETIONS))('the data file soon has nothing of %s', async (deletion) => {
  const { my, open, folder, realClock } = await aMockInAFile();
  const text = await DELETIONS[deletion]!(my);
  // Requests are written a little later than their responses.
  await realClock.pass(2_000);
  await waitFor(() => expect(isInFiles(folder, text)).toBe(false));
  const before = await my.control.snapshot();
  await my.service.close();
  expect(isInFiles(folder, text)).toBe(false);
  const after = await open();
  expect(await after.control.snapshot()).toEqual(before);
  await after.service.close();
});

it.each(Object.keys(DELETIONS))('a closed data file has nothing of %s', async (deletion) => {
  const { my, folder } = await aMockInAFile();
  const text = await DELETIONS[deletion]!(my);
  await my.service.close();
  expect(isInFiles(folder, text)).toBe(false);
});

it('the data file has no key that the configuration has replaced', async () => {
  const publishableKey = 'pk_of_the_shop';
  const tenants = (secretKey: string) => [{ name: 'Shop', publishableKey, secretKey }];
  const { my, open, folder } = await aMockInAFile({ tenants: tenants(OLD_KEY) });
  await my.service.close();
  expect(isInFiles(folder, OLD_KEY)).toBe(true);
  const after = await open({ tenants: tenants('sk_a_new_key_of_the_shop') });
  await after.service.close();
  expect(isInFiles(folder, OLD_KEY)).toBe(false);
});
