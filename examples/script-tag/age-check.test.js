import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMockServer } from 'ofage-mock/node';
import { createClient } from 'ofage/server';

test('a shopper who is too young gets no access', async () => {
  const mock = await startMockServer({ port: 0 }); // a free port
  const ofAge = createClient({ secretKey: mock.secretKey, baseUrl: mock.apiBase });
  const { id } = await mock.control.trigger({ name: 'failed_age_not_met' });
  assert.equal((await ofAge.validateOnce(id)).accessGranted, false);
  await mock.close();
});
