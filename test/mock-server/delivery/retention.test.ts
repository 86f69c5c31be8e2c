import { describe, expect, it } from 'vitest';
import { answered, createScene, DAY, HOUR, MINUTE } from './scene.ts';

describe('ended sessions and their events', () => {
  it('are kept for seven days and then deleted, so that memory does not grow', async () => {
    const { control, advance, complete, clock } = await createScene(() => answered(204));
    const most = { sessions: 0, deliveries: 0 };
    for (let day = 0; day < 30; day += 1) {
      await complete(20);
      await advance(DAY);
      const { counts } = await control.state();
      most.sessions = Math.max(most.sessions, counts.sessions);
      most.deliveries = Math.max(most.deliveries, counts.deliveries);
    }
    expect(most).toEqual({ sessions: 140, deliveries: 140 });
    await advance(8 * DAY);
    expect((await control.state()).counts).toEqual({
      sessions: 0,
      events: 0,
      deliveries: 0,
      attempts: 0,
    });
    // Retention is not shown as a due job.
    expect((await clock.read()).nextDue).toBeNull();
  });

  it('are deleted by a job that clock.next() ignores', async () => {
    const { complete, advance, clock } = await createScene(() => answered(204));
    await complete();
    await advance(0);
    const { now } = await clock.read();
    expect(await clock.next()).toEqual({ now, frozen: true, nextDue: null });
  });

  it('are all deleted, even if there are more than fit into one batch', async () => {
    const { control, advance, complete } = await createScene(() => answered(204));
    await complete(1_000);
    await advance(7 * DAY + MINUTE);
    expect((await control.state()).counts.sessions).toBe(0);
  }, 60_000);

  it('are kept while an event is exactly seven days old, because it can be redelivered then', async () => {
    let status = 404;
    const { control, endpointId, advance, complete } = await createScene(() => answered(status));
    await complete();
    await advance(2 * HOUR);
    status = 204;
    await control.resumeEndpoint(endpointId);
    await advance(7 * DAY - 2 * HOUR);
    expect(await control.redeliver(endpointId)).toEqual({ queued: 1, remaining: 0 });
  });

  it('are kept while an event is redelivered', async () => {
    let status = 404;
    const scene = await createScene(() => answered(status));
    const { control, endpointId, advance, complete } = scene;
    const sessionId = await complete();
    await advance(2 * HOUR);
    await advance(7 * DAY - 3 * HOUR);
    status = 204;
    await control.resumeEndpoint(endpointId);
    await control.redeliver(endpointId);
    status = 500;
    await advance(10 * HOUR);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ status: 'pending' }]);
    status = 204;
    await advance(HOUR);
    await advance(2 * HOUR);
    expect(await control.deliveries({ sessionId })).toEqual([]);
  });
});
