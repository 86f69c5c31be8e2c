import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../support/manual-clock.ts';
import { createWorld } from './world.ts';

describe('freeze() and resume()', () => {
  it('stop the time, and let it continue from the same time', async () => {
    const { real, scheduler, startMs } = createWorld();
    const { clock } = scheduler;
    await real.pass(100);
    expect(await clock.freeze()).toEqual({ nowMs: startMs + 100, frozen: true, nextDueMs: null });
    await real.pass(5_000);
    expect(await clock.now()).toBe(startMs + 100);
    expect(await clock.resume()).toEqual({ nowMs: startMs + 100, frozen: false, nextDueMs: null });
    await real.pass(50);
    expect(await clock.now()).toBe(startMs + 150);
  });

  it('let no job become due while the time is frozen', async () => {
    const { real, scheduler, ran, add } = createWorld();
    scheduler.start();
    await scheduler.clock.freeze();
    await add({ id: 'at once', afterMs: 0 }, { id: 'deadline', afterMs: 10 });
    await real.pass(1_000);
    expect(ran).toEqual(['at once at 0']);
    await scheduler.clock.resume();
    await real.pass(9);
    expect(ran).toHaveLength(1);
    await real.pass(1);
    expect(ran).toEqual(['at once at 0', 'deadline at 10']);
  });

  it('can be called twice', async () => {
    const { real, scheduler, startMs } = createWorld();
    await scheduler.clock.freeze();
    await real.pass(10);
    expect(await scheduler.clock.freeze()).toMatchObject({ nowMs: startMs, frozen: true });
    await scheduler.clock.resume();
    expect(await scheduler.clock.resume()).toMatchObject({ nowMs: startMs, frozen: false });
  });
});

describe('set()', () => {
  it('moves to the given time', async () => {
    const { scheduler, ran, add, startMs } = createWorld();
    await add({ id: 'a', afterMs: 10 });
    expect(await scheduler.clock.set(startMs + 10)).toMatchObject({ nowMs: startMs + 10 });
    expect(ran).toEqual(['a at 10']);
  });

  it('rejects a past time without stopping the clock', async () => {
    const { real, scheduler, startMs } = createWorld({
      real: createManualClock(Date.UTC(2026, 0, 1)),
    });
    await expect(scheduler.clock.set(startMs - 1)).rejects.toThrow(
      'Time only moves forward: the clock shows 2026-01-01T00:00:00.000Z, got 2025-12-31T23:59:59.999Z',
    );
    await real.pass(5);
    expect(await scheduler.clock.read()).toMatchObject({ nowMs: startMs + 5, frozen: false });
  });

  it.each([Number.NaN, 1.5, 253_402_300_800_000])('rejects %s', async (toMs) => {
    await expect(createWorld().scheduler.clock.set(toMs)).rejects.toThrow(RangeError);
  });

  it('accepts times up to the year 9999', async () => {
    const { scheduler } = createWorld();
    const nowMs = Date.parse('9999-12-31T23:59:59.999Z');
    expect(await scheduler.clock.set(nowMs)).toMatchObject({ nowMs });
  });
});

describe('next()', () => {
  it('moves to the next due time and runs all its jobs', async () => {
    const { scheduler, ran, add, startMs } = createWorld();
    await scheduler.clock.freeze();
    await add({ id: 'a', afterMs: 10 }, { id: 'b', afterMs: 10 }, { id: 'c', afterMs: 20 });
    expect(await scheduler.clock.next()).toEqual({
      nowMs: startMs + 10,
      frozen: true,
      nextDueMs: startMs + 20,
    });
    expect(ran).toEqual(['a at 10', 'b at 10']);
  });

  it('does not move if there is no job', async () => {
    const { scheduler, startMs } = createWorld();
    await scheduler.clock.freeze();
    expect(await scheduler.clock.next()).toMatchObject({ nowMs: startMs, nextDueMs: null });
  });
});
