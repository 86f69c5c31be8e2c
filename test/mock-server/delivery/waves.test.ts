import { describe, expect, it } from 'vitest';
import { answered, createScene, HOOK, JANUARY, SECOND } from './scene.ts';

describe('concurrent requests that fail', () => {
  it.each([2, 5, 7, 8])('count as one failure: %i requests', async (count) => {
    let isWell = false;
    const { complete, advance, health, sent } = await createScene(() =>
      answered(isWell ? 204 : 503),
    );
    await complete(count);
    await advance(0);
    expect(sent).toHaveLength(count);
    const { state, consecutiveFailures, nextAttemptAt } = await health();
    expect({ state, consecutiveFailures }).toEqual({ state: 'degraded', consecutiveFailures: 1 });
    expect(Date.parse(nextAttemptAt ?? '') - JANUARY).toBeLessThanOrEqual(5 * SECOND);

    isWell = true;
    await advance(5 * SECOND);
    expect(await health()).toMatchObject({ state: 'healthy', pending: 0, undelivered: 0 });
  });

  it('do not delay a new session.started', async () => {
    let isWell = true;
    const { control, advance, sent } = await createScene(() => answered(isWell ? 204 : 503), {
      endpoints: [{ url: HOOK, events: ['session.started', 'verification.completed'] }],
    });
    const sessions = [];
    for (let n = 0; n < 8; n += 1) sessions.push(await control.trigger({ name: 'never' }));
    await advance(0);
    isWell = false;
    for (const { id } of sessions) await control.settle(id, 'verified');
    await advance(SECOND);
    isWell = true;
    const { id } = await control.trigger({ name: 'never' });
    await advance(0);
    expect(sent.at(-1)?.atMs).toBe(SECOND);
    expect(await control.deliveries({ sessionId: id })).toMatchObject([{ status: 'delivered' }]);
  });

  it('do not include a request that started later, which counts as a second failure', async () => {
    const { complete, advance, health } = await createScene(() => answered(503));
    // At most eight requests are in flight at once, so the ninth starts after they have failed.
    await complete(9);
    await advance(0);
    expect((await health()).consecutiveFailures).toBe(2);
    await advance(10 * SECOND);
    expect((await health()).consecutiveFailures).toBe(3);
  });
});
