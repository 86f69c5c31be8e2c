import { describe, expect, it } from 'vitest';
import { openShop } from './a-shop.ts';

describe('access', () => {
  it('is given when validate says verified, and remembered', async () => {
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
    'is not given after %s',
    async (scenario) => {
      const { signIn } = await openShop();
      const customer = await signIn();
      const answer = await customer.verification(await customer.check(scenario));
      expect(answer).toMatchObject({ access: false, problem: null });
      expect(await customer.access()).toMatchObject({ access: false });
    },
  );

  it('is not given while the session is pending, and given once it has passed', async () => {
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

  it.each([
    {
      sessionId: '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90',
      code: 'session_not_found',
      why: 'invented',
    },
    { sessionId: 'x', code: 'session_id_invalid', why: 'no id at all' },
    { sessionId: undefined, code: 'session_id_invalid', why: 'left out' },
    { sessionId: { $ne: null }, code: 'session_id_invalid', why: 'an object' },
  ])('is not given on a session id that is $why', async ({ sessionId, code }) => {
    const { signIn } = await openShop();
    const customer = await signIn();
    const answer = await customer.verification(sessionId);
    expect(answer).toMatchObject({ access: false, validation: null, problem: { code } });
  });

  it('is not given on the session of somebody else, who keeps it', async () => {
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

  it('is answered from memory the second time, as a session validates once', async () => {
    const { signIn, validations } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const first = await customer.verification(sessionId);
    expect(await customer.verification(sessionId)).toEqual(first);
    expect(validations).toHaveLength(1);
  });

  it('is given to each of ten tabs that ask at once', async () => {
    const { signIn, validations } = await openShop({ validateDelayMs: 50 });
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => customer.verification(sessionId)),
    );
    expect(answers.map(({ access }) => access)).toEqual(Array(10).fill(true));
    expect(validations).toHaveLength(1);
  });

  it('is given by each of two processes that ask at once and share a store', async () => {
    const { signIn, createBackend } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    const answers = await Promise.all(
      [createBackend(), createBackend()].map((by) => customer.verification(sessionId, by)),
    );
    expect(answers.map(({ access }) => access)).toEqual([true, true]);
  });

  it('rests on the signed webhook when the answer of validate got lost', async () => {
    const { service, signIn, ask, sent, deliver } = await openShop({ losesWebhooks: true });
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    await loseTheAnswer(service, sessionId);
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

  it('can be forgotten', async () => {
    const { signIn, ask } = await openShop();
    const customer = await signIn();
    await customer.verification(await customer.check('verified'));
    expect((await ask('DELETE', 'access', customer.token)).status).toBe(204);
    expect(await customer.access()).toMatchObject({ access: false, by: null });
  });
});

describe('a webhook', () => {
  it('is received on its raw bytes, and opens nothing by itself', async () => {
    const { service, signIn } = await openShop();
    const customer = await signIn();
    const sessionId = await customer.check('verified');
    await service.clock.advance(0);
    const { access, webhooks } = await customer.access();
    expect(access).toBe(false);
    expect(webhooks).toHaveLength(2);
    // In no promised order: both were under way at once.
    for (const event of ['verification.completed', 'session.started']) {
      const received = expect.objectContaining({ event, sessionId, duplicate: false });
      expect(webhooks).toContainEqual(received);
    }
  });

  it('is taken once, however often it comes', async () => {
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

  it('is refused when one byte of it was changed, or when it is not signed', async () => {
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
  ])('%s %s wants a customer who is signed in', async (method, path) => {
    const { ask, signIn } = await openShop();
    const { token } = await signIn();
    const forged = token.replace(/^customer-......../, 'customer-00000000');
    for (const bad of [undefined, 'x', forged, `${token.slice(0, -1)}g`]) {
      expect((await ask(method, path, bad, method === 'POST' ? {} : undefined)).status).toBe(401);
    }
  });

  it('hands out the publishable key and never the secret one', async () => {
    const { ask, service } = await openShop();
    const { publishableKey } = await service.ready;
    expect((await ask('GET', 'config')).body).toEqual({ publishableKey, sdkUrl: null });
  });

  it('says what is wrong with a checkout, in words', async () => {
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

/** Uses the session up without the shop learning the answer. */
async function loseTheAnswer(
  service: Awaited<ReturnType<typeof openShop>>['service'],
  sessionId: string,
): Promise<void> {
  const { secretKey } = await service.ready;
  const response = await service.fetch(
    new Request('https://api.ofage.example/api/v1/sessions/validate', {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId }),
    }),
  );
  expect(response.status).toBe(200);
}
