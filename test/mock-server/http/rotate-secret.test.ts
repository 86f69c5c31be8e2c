import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, answered, HOOK, type Mock } from '../../support/a-mock.ts';

const SECRET = /^whsec_[0-9a-f]{48}$/;

/** The status of the receiver's next responses. */
let status: number;
let my: Mock;
let endpointId: string;
let firstSecret: string;

beforeEach(async () => {
  status = 204;
  my = await aMock({ answer: () => answered(status) });
  const { tenantId } = my;
  const created = await my.control.createEndpoint(tenantId, {
    url: HOOK,
    events: ['verification.completed'],
  });
  endpointId = created.id;
  firstSecret = created.secret ?? '';
});

/** Rotates the secret and returns the new one. */
async function rotate(): Promise<string> {
  const { status, body } = await my.call('POST', `/webhook-endpoints/${endpointId}/rotate-secret`);
  expect(status).toBe(200);
  return body.secret;
}

/** Returns the name of the secret that signed each of the requests, in order. */
function signersOf(
  secrets: Readonly<Record<string, string>>,
  requests = my.sent,
): (string | undefined)[] {
  return requests.map(({ headers, body }) => {
    const signature = new Headers(headers).get('x-ofage-signature');
    return Object.keys(secrets).find((name) => {
      const hmac = createHmac('sha256', secrets[name] ?? '').update(body);
      return `sha256=${hmac.digest('hex')}` === signature;
    });
  });
}

describe('POST /webhook-endpoints/{id}/rotate-secret', () => {
  it('returns the new secret, which later responses do not show', async () => {
    const { status, body } = await my.call(
      'POST',
      `/webhook-endpoints/${endpointId}/rotate-secret`,
    );
    expect(status).toBe(200);
    const { secret, ...endpoint } = body;
    expect(secret).toMatch(SECRET);
    expect(secret).not.toBe(firstSecret);
    expect(endpoint).toEqual(await my.control.endpoint(endpointId));
    expect(JSON.stringify(endpoint)).not.toContain('whsec_');
  });

  it('makes later attempts use the new secret, even for earlier events', async () => {
    status = 500;
    await my.control.trigger({ name: 'verified' });
    await my.clock.advance(1);
    const secondSecret = await rotate();
    status = 204;
    await my.clock.advance(600_000);
    const thirdSecret = await rotate();
    await my.control.trigger({ name: 'verified' });
    await my.clock.advance(1);
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
    const before = my.sent.length;
    expect(await control.redeliver(endpointId)).toEqual({ queued: 1, remaining: 0 });
    await clock.advance(1);
    expect(signersOf({ first: firstSecret, new: newSecret }, my.sent.slice(before))).toEqual([
      'new',
    ]);
  });

  it('does not resume a paused endpoint', async () => {
    status = 401;
    await my.control.trigger({ name: 'verified' });
    await my.clock.advance(2 * 3_600_000);
    const before = await my.control.endpoint(endpointId);
    expect(before.health.state).toBe('paused');
    await rotate();
    expect(await my.control.endpoint(endpointId)).toEqual(before);
  });

  it('creates a secret for an endpoint without one', async () => {
    await my.control.updateEndpoint(endpointId, { secret: null });
    expect(await rotate()).toMatch(SECRET);
    expect(await my.control.endpoint(endpointId)).toMatchObject({ hasSecret: true });
  });
});
