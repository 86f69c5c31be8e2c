import { createHmac } from 'node:crypto';
import type { WebhookRequest } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aService, type TestService } from './a-service.ts';

const SECRET = /^whsec_[0-9a-f]{48}$/;

/** The status of the receiver's next responses. */
let status: number;
let received: WebhookRequest[];
let my: TestService;
let endpointId: string;
let firstSecret: string;

beforeEach(async () => {
  status = 204;
  received = [];
  my = aService({
    sender: {
      async send(request) {
        received.push(request);
        return { kind: 'response', status, retryAfter: null, address: null, hops: 0 };
      },
    },
  });
  const { tenantId } = await my.service.ready;
  const created = await my.service.control.createEndpoint(tenantId, {
    url: 'https://shop.example/webhooks',
    events: ['verification.completed'],
  });
  endpointId = created.id;
  firstSecret = created.secret ?? '';
});
afterEach(() => my.service.close());

/** Rotates the secret and returns the new one. */
async function rotate(): Promise<string> {
  const { status, body } = await my.control(
    'POST',
    `/webhook-endpoints/${endpointId}/rotate-secret`,
  );
  expect(status).toBe(200);
  return body.secret;
}

/** Returns the name of the secret that signed each request, in order. */
function signersOf(secrets: Readonly<Record<string, string>>): (string | undefined)[] {
  return received.map(({ headers, body }) => {
    const signature = new Headers(headers).get('x-ofage-signature');
    return Object.keys(secrets).find((name) => {
      const hmac = createHmac('sha256', secrets[name] ?? '').update(body);
      return `sha256=${hmac.digest('hex')}` === signature;
    });
  });
}

describe('POST /webhook-endpoints/{id}/rotate-secret', () => {
  it('returns the new secret, which later responses do not show', async () => {
    const { status, body } = await my.control(
      'POST',
      `/webhook-endpoints/${endpointId}/rotate-secret`,
    );
    expect(status).toBe(200);
    const { secret, ...endpoint } = body;
    expect(secret).toMatch(SECRET);
    expect(secret).not.toBe(firstSecret);
    expect(endpoint).toEqual(await my.service.control.endpoint(endpointId));
    expect(JSON.stringify(endpoint)).not.toContain('whsec_');
  });

  it('makes later attempts use the new secret, even for earlier events', async () => {
    status = 500;
    await my.service.control.trigger({ name: 'verified' });
    await my.service.clock.advance(1);
    const secondSecret = await rotate();
    status = 204;
    await my.service.clock.advance(600_000);
    const thirdSecret = await rotate();
    await my.service.control.trigger({ name: 'verified' });
    await my.service.clock.advance(1);
    expect(signersOf({ first: firstSecret, second: secondSecret, third: thirdSecret })).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('makes redelivered events use the new secret', async () => {
    const { control, clock } = my.service;
    status = 401;
    await control.trigger({ name: 'verified' });
    // An hour of rejections pauses the endpoint, and its event is not delivered.
    await clock.advance(2 * 3_600_000);
    const newSecret = await rotate();
    status = 204;
    await control.resumeEndpoint(endpointId);
    received = [];
    expect(await control.redeliver(endpointId)).toEqual({ queued: 1, remaining: 0 });
    await clock.advance(1);
    expect(signersOf({ first: firstSecret, new: newSecret })).toEqual(['new']);
  });

  it('does not resume a paused endpoint', async () => {
    status = 401;
    await my.service.control.trigger({ name: 'verified' });
    await my.service.clock.advance(2 * 3_600_000);
    const before = await my.service.control.endpoint(endpointId);
    expect(before.health.state).toBe('paused');
    await rotate();
    expect(await my.service.control.endpoint(endpointId)).toEqual(before);
  });

  it('creates a secret for an endpoint without one', async () => {
    await my.service.control.updateEndpoint(endpointId, { secret: null });
    expect(await rotate()).toMatch(SECRET);
    expect(await my.service.control.endpoint(endpointId)).toMatchObject({ hasSecret: true });
  });

  it('fails for an unknown id', async () => {
    expect(await my.control('POST', '/webhook-endpoints/nobody/rotate-secret')).toMatchObject({
      status: 404,
      body: { message: 'Webhook endpoint not found' },
    });
  });
});
