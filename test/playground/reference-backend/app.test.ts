import type { EventKind, MockService } from 'ofage-mock';
import { createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import type { WebhookRequest } from '../../../mock-server/send/sender.ts';
import { openShop } from './a-shop.ts';

/** Creates a client of the service beside the shop, with the same key. */
async function toClient({ ready, fetch }: MockService) {
  const { secretKey } = await ready;
  return createClient({ secretKey, fetch: (url, init) => fetch(new Request(url, init)) });
}

/** Finds a webhook by its event. Two events of one instant are sent at once, so their order is not fixed. */
const find = (sent: readonly WebhookRequest[], event: EventKind) =>
  sent.find(({ body }) => new TextDecoder().decode(body).includes(event))!;

describe('access', () => {
  it('is granted and stored when validate reports verified', async () => {
    const { signIn } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    expect(await customer.access()).toMatchObject({ access: false, since: null, by: null });
    expect(await customer.verification(sessionId)).toMatchObject({
      access: true,
      problem: null,
      validation: { sessionId, status: 'verified', externalUserId: customer.customerId },
    });
    expect(await customer.access()).toMatchObject({ access: true, by: 'validate' });
  });

  it.each(['failed_age_not_met', 'cancelled'] as const)(
    'is not granted after the outcome %s',
    async (scenario) => {
      const { signIn } = await openShop();
      const customer = await signIn();
      const answer = await customer.verification(await customer.check(scenario));
      expect(answer).toMatchObject({ access: false, problem: null });
      expect(await customer.access()).toMatchObject({ access: false });
    },
  );

  it('is granted once a pending session becomes verified', async () => {
    const { service, signIn } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('never');
    expect(await customer.verification(sessionId)).toMatchObject({
      access: false,
      validation: { status: 'pending' },
    });
    await service.control.settle(sessionId, 'verified');
    expect(await customer.verification(sessionId)).toMatchObject({ access: true });
  });

  it('comes with the way back to the check while it is open, only for its customer', async () => {
    const { service, signIn, ask } = await openShop();
    const [anna, mallory] = [await signIn(), await signIn()];
    const { body: started } = await ask('POST', 'checkout', anna.token, {
      returnUrl: 'http://localhost/return/',
    });
    const { sessionId, verifyUrl } = started;
    expect((await anna.verification(sessionId)).checkUrl).toBe(verifyUrl);
    expect(await mallory.verification(sessionId)).not.toHaveProperty('checkUrl');
    await service.control.settle(sessionId, 'failed_age_not_met');
    expect(await anna.verification(sessionId)).not.toHaveProperty('checkUrl');
  });

  it.each([
    {
      sessionId: '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90',
      code: 'session_not_found',
      why: 'unknown',
    },
    { sessionId: 'x', code: 'session_id_invalid', why: 'not an id' },
    { sessionId: undefined, code: 'session_id_invalid', why: 'missing' },
    { sessionId: { $ne: null }, code: 'session_id_invalid', why: 'an object' },
  ])('is not granted for a session id that is $why', async ({ sessionId, code }) => {
    const { signIn } = await openShop();
    const customer = await signIn();
    const answer = await customer.verification(sessionId);
    expect(answer).toMatchObject({ access: false, validation: null, problem: { code } });
  });

  it('is not granted for the session of another customer, who can still use it', async () => {
    const { signIn } = await openShop();
    const [anna, mallory] = [await signIn(), await signIn()];
    const sessionId = await anna.check('verified');
    expect(await mallory.verification(sessionId)).toEqual({
      access: false,
      validation: null,
      problem: { code: 'wrong_customer', message: expect.any(String) },
    });
    expect(await mallory.access()).toMatchObject({ access: false });
    expect(await anna.verification(sessionId)).toMatchObject({ access: true });
  });

  it('comes from the stored result on later requests, because a session can be validated only once', async () => {
    const { signIn, validations } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const first = await customer.verification(sessionId);
    expect(await customer.verification(sessionId)).toEqual(first);
    expect(validations).toHaveLength(1);
  });

  it('is granted to each of ten concurrent requests, with one validation', async () => {
    const { signIn, validations } = await openShop({ validateDelayMs: 50 });
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => customer.verification(sessionId)),
    );
    expect(answers.map(({ access }) => access)).toEqual(Array(10).fill(true));
    expect(validations).toHaveLength(1);
  });

  it('is granted by both of two processes that share a store and validate concurrently', async () => {
    const { signIn, createBackend } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const answers = await Promise.all(
      [createBackend(), createBackend()].map((by) => customer.verification(sessionId, by)),
    );
    expect(answers.map(({ access }) => access)).toEqual([true, true]);
  });

  it('is granted by the signed webhook when the validate response was lost', async () => {
    const { service, signIn, ask, sent, deliver } = await openShop({ losesWebhooks: true });
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    // This consumes the session without the shop receiving the response.
    const consumed = await (await toClient(service)).validateSession(sessionId);
    expect(consumed.verified).toBe(true);
    expect(await customer.verification(sessionId)).toMatchObject({
      access: false,
      problem: { code: 'session_already_used' },
    });
    for (const request of sent) await deliver(request);
    expect(await customer.verification(sessionId)).toMatchObject({ access: true });
    expect(await customer.access()).toMatchObject({ by: 'webhook' });
    const stranger = (await ask('POST', 'sign-in', undefined, {})).body.token;
    const { body } = await ask('POST', 'verification', stranger, { sessionId });
    expect(body).toMatchObject({ access: false });
  });

  it('keeps its first proof when a later check passes too', async () => {
    const { service, store, signIn } = await openShop();
    const { customerId, check, verification } = await signIn();
    const proof = async () => (await store.customers.get(customerId))?.access;
    await verification(await check('verified'));
    const first = await proof();
    await service.clock.advance(60_000);
    expect(await verification(await check('verified'))).toMatchObject({ access: true });
    await service.clock.advance(0);
    expect(first).toMatchObject({ by: 'validate' });
    expect(await proof()).toEqual(first);
  });

  it.each(['webhook', 'page'])(
    'is granted when a %s asks again, whichever write of the store failed at first',
    async (asker) => {
      const denied: number[] = [];
      let hasFailed = true;
      for (let write = 0; hasFailed; write += 1) {
        const { service, faults, signIn, sent, ask, deliver } = await openShop({
          losesWebhooks: true,
        });
        const customer = await signIn();
        const sessionId = await customer.check('verified');
        await service.clock.advance(0);
        const askOnce = () =>
          asker === 'webhook'
            ? deliver(find(sent, 'verification.completed'))
            : ask('POST', 'verification', customer.token, { sessionId });
        faults.write = write;
        await askOnce();
        hasFailed = faults.write < 0;
        await askOnce();
        const { access } = await customer.access();
        if (!access) denied.push(write);
      }
      expect(denied).toEqual([]);
    },
  );

  it('can be deleted', async () => {
    const { signIn, ask } = await openShop();
    const customer = await signIn();
    await customer.verification(await customer.check('verified'));
    expect((await ask('DELETE', 'access', customer.token)).status).toBe(204);
    expect(await customer.access()).toMatchObject({ access: false, by: null });
  });
});

describe('a webhook', () => {
  it('starts the validation of a passed check without a request from a page', async () => {
    const { service, signIn, validations } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    await service.clock.advance(0);
    expect(await customer.access()).toMatchObject({ access: true, by: 'validate' });
    // The page comes back later, and gets the stored result.
    expect(await customer.verification(sessionId)).toMatchObject({
      access: true,
      validation: { status: 'verified' },
    });
    expect(validations).toHaveLength(1);
  });

  it('shares one validation with a concurrent request from the page', async () => {
    const { service, signIn, validations } = await openShop({ validateDelayMs: 50 });
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const [answer] = await Promise.all([
      customer.verification(sessionId),
      service.clock.advance(0),
    ]);
    expect(answer).toMatchObject({ access: true });
    expect(validations).toHaveLength(1);
  });

  it('grants access only when it is delivered again, if validate could not be reached at first', async () => {
    const { service, faults, signIn, sent, deliver, ask } = await openShop();
    const customer = await signIn();
    faults.validate = true;
    const sessionId = await customer.check('verified');
    await service.clock.advance(0);
    expect(await customer.access()).toMatchObject({ access: false });
    const asked = await ask('POST', 'verification', customer.token, { sessionId });
    expect(asked).toMatchObject({ status: 502, body: { code: 'network_error' } });
    faults.validate = false;
    expect(await deliver(find(sent, 'verification.completed'))).toBe(204);
    expect(await customer.access()).toMatchObject({ access: true, by: 'validate' });
  });

  it('causes no validation if this shop does not know the customer', async () => {
    const { service, signIn, validations, sent } = await openShop();
    const client = await toClient(service);
    const { sessionId } = await client.createSession({
      returnUrl: 'http://localhost/return/',
      externalUserId: 'customer-of-another-integration',
    });
    await service.control.settle(sessionId, 'verified');
    await service.clock.advance(0);
    expect(sent).toHaveLength(2);
    expect(validations).toEqual([]);
    // The other integration can validate its own session.
    expect(await client.validateSession(sessionId)).toMatchObject({ verified: true });
    expect(await (await signIn()).access()).toMatchObject({ webhooks: [] });
  });

  it('does not restore deleted access when it arrives after the deletion', async () => {
    const { signIn, ask, sent, deliver } = await openShop({ losesWebhooks: true });
    const customer = await signIn();
    await customer.verification(await customer.check('verified'));
    await ask('DELETE', 'access', customer.token);
    for (const request of sent) expect(await deliver(request)).toBe(204);
    expect(await customer.access()).toMatchObject({ access: false });
  });

  it('is marked as a duplicate when it is received again', async () => {
    const { service, signIn, sent, deliver } = await openShop();
    const customer = await signIn();
    await customer.check('verified');
    await service.clock.advance(0);
    for (const request of sent) expect(await deliver(request)).toBe(204);
    const { webhooks } = await customer.access();
    expect(webhooks.map(({ duplicate }: { duplicate: boolean }) => duplicate)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is shown with the newest 49 before it, so that repeats cannot fill the memory', async () => {
    const { service, signIn, sent, deliver } = await openShop();
    const customer = await signIn();
    await customer.check('verified');
    await service.clock.advance(0);
    const started = find(sent, 'session.started');
    for (let n = 0; n < 60; n += 1) await deliver(started);
    await deliver(find(sent, 'verification.completed'));
    const { webhooks } = await customer.access();
    expect(webhooks.map(({ event }: { event: string }) => event)).toEqual([
      'verification.completed',
      ...Array(49).fill('session.started'),
    ]);
  });

  it('is rejected when one byte was changed or the signature is missing', async () => {
    const { service, signIn, sent, deliver } = await openShop();
    const customer = await signIn();
    await customer.check('verified');
    await service.clock.advance(0);
    const [{ headers, body }] = sent as [(typeof sent)[number]];
    const changed = body.slice();
    changed[changed.length - 2] = 0x20;
    expect(await deliver({ headers, body: changed })).toBe(401);
    expect(await deliver({ headers: { 'content-type': 'application/json' }, body })).toBe(401);
  });
});

describe('the shop', () => {
  it.each([
    ['POST', 'checkout'],
    ['POST', 'verification'],
    ['GET', 'access'],
    ['DELETE', 'access'],
  ])('requires a signed-in customer for %s %s', async (method, path) => {
    const { ask, signIn } = await openShop();
    const { token } = await signIn();
    const forged = token.replace(/^customer-......../, 'customer-00000000');
    for (const bad of [undefined, 'x', forged, `${token.slice(0, -1)}g`]) {
      expect((await ask(method, path, bad, method === 'POST' ? {} : undefined)).status).toBe(401);
    }
  });

  it('returns the publishable key at GET config, and no secret key', async () => {
    const { ask, service } = await openShop();
    const { publishableKey } = await service.ready;
    expect((await ask('GET', 'config')).body).toEqual({ publishableKey, sdkUrl: null });
  });

  it('returns the error of a refused checkout', async () => {
    const { ask, signIn } = await openShop();
    const { token } = await signIn();
    const elsewhere = { returnUrl: 'https://evil.example/' };
    expect(await ask('POST', 'checkout', token, elsewhere)).toMatchObject({
      status: 502,
      body: { code: 'return_url_not_allowed' },
    });
    expect(await ask('POST', 'checkout', token, {})).toMatchObject({ status: 502 });
  });
});
