// @vitest-environment jsdom
/** Requests that closing pages of the static playground leave for the next page. */
import { beforeEach, expect, it, vi } from 'vitest';
import {
  followOutbox,
  leaveReports,
  noteLeave,
  sendLeftRequests,
} from '../../../playground/shared/outbox.ts';
import { waitFor } from '../../support/wait-for.ts';

const NOW = Date.parse('2026-11-21T08:00:00.000Z');

/** Stands in for the locks of a browser, which jsdom does not have: runs the holders one after the other. */
function aLockManager() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_name: string, work: () => Promise<unknown>) {
      last = last.then(work, work);
      return last;
    },
  };
}

/** What the services of all tabs got. The tabs of an earlier test still listen, because a page never stops. */
let sent: { path: string; authorization: string | null; body: unknown }[];

const service: Parameters<typeof followOutbox>[0] = {
  async fetch(request) {
    const { pathname: path } = new URL(request.url);
    const authorization = request.headers.get('authorization');
    sent.push({ path, authorization, body: await request.json() });
    return new Response();
  },
};

beforeEach(() => {
  sent = [];
  localStorage.clear();
  Object.defineProperty(navigator, 'locks', { value: aLockManager(), configurable: true });
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});

/** Tells this page that another tab has changed a key. A browser does not tell the tab that changes it. */
const tellChange = (key: string, newValue: string | null): void =>
  void window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

const leave = (token: string) => ({
  path: '/hosted/v1/leave',
  authorization: `Bearer ${token}`,
  body: {},
});

it('what pages left while no service ran is sent when one opens, once', async () => {
  noteLeave('t1');
  await followOutbox(service);
  expect(sent).toEqual([leave('t1')]);
  noteLeave('t2');
  await Promise.all([sendLeftRequests(service), sendLeftRequests(service)]);
  expect(sent).toEqual([leave('t1'), leave('t2')]);
});

it('what another tab leaves is sent at once, and no other change of the storage has an effect', async () => {
  await followOutbox(service);
  noteLeave('t1');
  const [key = ''] = Object.keys(localStorage);
  tellChange('ofage-playground:other', 'x');
  tellChange(key, null);
  // This use of the lock comes after all that was sent before.
  await navigator.locks.request('ofage-playground:left', async () => {});
  expect(sent).toEqual([]);
  tellChange(key, 'x');
  await waitFor(() => expect(sent).toEqual([leave('t1')]));
});

it('other entries of the storage stay, and are not sent', async () => {
  localStorage.setItem('kontor:token', 'anna');
  noteLeave('t1');
  await followOutbox(service);
  expect(sent).toEqual([leave('t1')]);
  expect(Object.keys(localStorage)).toEqual(['kontor:token']);
});

it.each([
  ['five seconds are five seconds older', 5_000, 5_000],
  ['no time, because the computer’s clock was set back, are not younger', -5_000, 0],
])('reports that waited for %s', async (_, elapsedMs, waitedMs) => {
  const agesMs = [10, 20];
  leaveReports(JSON.stringify({ sentAtMs: NOW, reports: agesMs.map((ageMs) => ({ ageMs })) }));
  vi.setSystemTime(NOW + elapsedMs);
  await followOutbox(service);
  const reports = agesMs.map((ageMs) => ({ ageMs: ageMs + waitedMs }));
  expect(sent.map(({ body }) => body)).toEqual([{ sentAtMs: NOW + elapsedMs, reports }]);
});
