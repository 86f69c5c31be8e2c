import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createNotifications } from '../../../../mock-server/store/logs/postgres-connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['a notification before', ['receive', 'close']],
  ['a notification after', ['close', 'receive']],
  ['notifications before and after', ['receive', 'close', 'receive']],
] as const)('the end of the notifications, with %s it, notifies nobody', (_, steps) => {
  const notify = vi.fn();
  const notifications = createNotifications(() => 0, notify);
  for (const step of steps) {
    if (step === 'close') notifications.close();
    else notifications.receive('1');
  }
  vi.advanceTimersByTime(1_000);
  expect(notify).not.toHaveBeenCalled();
});

it('an entry of another process is notified once, unless it was read meanwhile', () => {
  let lastSeq = 0;
  const notify = vi.fn();
  const notifications = createNotifications(() => lastSeq, notify);
  notifications.receive('1');
  notifications.receive('2');
  vi.advanceTimersByTime(1_000);
  notifications.receive('3');
  lastSeq = 3;
  vi.advanceTimersByTime(1_000);
  expect(notify).toHaveBeenCalledTimes(1);
});
