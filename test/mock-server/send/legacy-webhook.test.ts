import type { WebhookResult } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { answered, createScene, HOUR, MINUTE, SECOND } from './scene.ts';

const LEGACY = 'https://legacy.example/hook';

async function withLegacy(
  answer: (url: string) => WebhookResult | Promise<WebhookResult> = () => answered(204),
) {
  const scene = await createScene(answer, { endpoints: [] });
  const path = `/tenants/${scene.tenantId}/legacy-webhook`;
  const put = await scene.call('PUT', path, { url: LEGACY, events: ['verification.completed'] });
  return { ...scene, path, put };
}

describe('the legacy webhook', () => {
  it('can be set, read and deleted, and its secret is returned when it is set but not when it is read', async () => {
    const { call, path, put } = await withLegacy();
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ url: LEGACY, hasSecret: true, isActive: true });
    expect(put.body.secret).toMatch(/^whsec_/);
    const { body } = await call('GET', path);
    expect(body).not.toHaveProperty('secret');
    // Changing the URL keeps the secret.
    const changed = await call('PUT', path, { url: `${LEGACY}2` });
    expect(changed.body.secret).toBe(put.body.secret);
    expect((await call('PUT', path, { url: 'https://127.0.0.1/' })).status).toBe(400);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('POST', `${path}/migrate`)).status).toBe(404);
  });

  it('does not get the events that a deleted legacy webhook has missed', async () => {
    let status = 401;
    const { call, path, complete, advance, sent, control, tenantId } = await withLegacy(() =>
      answered(status),
    );
    await complete();
    await advance(2 * HOUR);
    expect(await control.notices()).toHaveLength(1);
    await call('DELETE', path);
    await call('PUT', path, { url: `${LEGACY}2`, events: ['verification.completed'] });
    await complete();
    await advance(2 * HOUR);
    expect((await control.notices()).map(({ url }) => url).sort()).toEqual([LEGACY, `${LEGACY}2`]);
    expect(await control.emails()).toHaveLength(2);

    status = 204;
    await call('POST', `/webhook-endpoints/${tenantId}/resume`);
    sent.length = 0;
    expect((await call('POST', `/webhook-endpoints/${tenantId}/redeliver`)).body).toMatchObject({
      queued: 1,
    });
    await advance(MINUTE);
    expect(sent.map(({ url }) => url)).toEqual([`${LEGACY}2`]);
  });

  it('gets no pending events after it was deleted, even if a new one is set', async () => {
    let answer = answered(503, '3600');
    const { call, path, complete, advance, sent } = await withLegacy(() => answer);
    await complete(2_100);
    await advance(SECOND);
    await call('DELETE', path);
    await call('PUT', path, { url: `${LEGACY}2`, events: ['verification.completed'] });
    answer = answered(204);
    sent.length = 0;
    await complete();
    await advance(2 * HOUR);
    expect(sent.map(({ url }) => url)).toEqual([`${LEGACY}2`]);
  }, 60_000);

  it('is not affected by a late response of a deleted legacy webhook', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const scene = await withLegacy(async (url) => {
      if (url !== LEGACY) return answered(204);
      await held;
      return answered(503, '3600');
    });
    const { call, path, complete, advance, sent } = scene;
    await complete();
    const moving = advance(0);
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await call('DELETE', path);
    await call('PUT', path, { url: `${LEGACY}2`, events: ['verification.completed'] });
    release();
    await moving;
    expect((await call('GET', path)).body.health).toMatchObject({ consecutiveFailures: 0 });
    await complete();
    await advance(0);
    expect(sent.map(({ url }) => url)).toEqual([LEGACY, `${LEGACY}2`]);
  });

  it('stays paused with its reason when it becomes an endpoint', async () => {
    const { call, path, complete, advance } = await withLegacy(() => answered(401));
    await complete();
    await advance(2 * HOUR);
    const before = (await call('GET', path)).body.health;
    expect(before).toMatchObject({ state: 'paused', notice: expect.stringContaining(LEGACY) });
    expect((await call('POST', `${path}/migrate`)).body.health).toEqual(before);
  });

  it('is not migrated if there are already 20 endpoints', async () => {
    const { control, tenantId, call, path } = await withLegacy();
    for (let n = 0; n < 20; n += 1)
      await control.createEndpoint(tenantId, { url: `https://shop.example/${n}` });
    expect((await call('POST', `${path}/migrate`)).status).toBe(409);
    expect((await call('GET', path)).status).toBe(200);
  });
});
