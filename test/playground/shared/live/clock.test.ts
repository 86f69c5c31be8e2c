import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock, toVirtualNow } from '../../../../playground/shared/live/clock.ts';

const NOW = '2026-11-21T08:00:00.000Z';

it('a frozen clock stays at its reading, and a running clock continues from it', () => {
  expect(toVirtualNow({ now: NOW, frozen: true }, 8_000)).toBe(Date.parse(NOW));
  expect(toVirtualNow({ now: NOW, frozen: false }, 8_000)).toBe(Date.parse(NOW) + 8_000);
});

describe("the page's copy of the clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ticks every second from the last reading until it is stopped', () => {
    const clock = createClock();
    const stop = clock.start();
    clock.update({ now: NOW, frozen: false, nextDue: null });
    expect(clock.nowMs.value).toBe(Date.parse(NOW));
    vi.advanceTimersByTime(2_000);
    expect(clock.nowMs.value).toBe(Date.parse(NOW) + 2_000);
    clock.update({ now: NOW, frozen: true, nextDue: null });
    vi.advanceTimersByTime(2_000);
    expect(clock.nowMs.value).toBe(Date.parse(NOW));
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("shows the computer's time before the first reading", () => {
    vi.setSystemTime(1_000);
    const clock = createClock();
    expect(clock.reading.value).toBeNull();
    expect(clock.nowMs.value).toBe(1_000);
    expect(clock.now()).toBe(1_000);
  });
});
