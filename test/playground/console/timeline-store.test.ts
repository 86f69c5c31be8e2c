/** The console's timeline at a real service, in several tabs, before and after a reload. */
import { join } from 'node:path';
import { createMockService, type MockService } from 'ofage-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import type { Entry } from '../../../playground/console/timeline/entry.ts';
import {
  createTimelineStore,
  type TimelineStore,
} from '../../../playground/console/timeline/store.ts';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';
import { jsonHeaders, RETURN_URL } from '../../support/api.ts';
import { aReport, sendReports } from '../../support/reports.ts';
import { aFolder } from '../../support/folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const HOUR = 3_600_000;
const HOOK = 'https://shop.example/hooks';

/** What the tabs and services of a test must end, the newest first. */
let ends: (() => unknown)[];

beforeEach(() => {
  ends = [];
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

interface Created {
  readonly sessionId: string;
  readonly sessionToken: string;
}

/** A service that can be restarted with its state in a file. */
async function aService(clock: { frozen?: boolean } = {}) {
  const file = join(aFolder(), 'mock.sqlite');
  const open = (): MockService =>
    createMockService({
      clock,
      log: openSqliteLog(file),
      sender: {
        send: async () => ({
          kind: 'response',
          status: 204,
          retryAfter: null,
          address: '192.0.2.1',
          hops: 0,
          durationMs: 1,
        }),
      },
    });
  let running = open();
  const { tenantId, secretKey, publishableKey } = await running.ready;
  ends.push(() => running.close());
  async function post(path: string, key: string, body: object): Promise<Created> {
    const url = running.apiOrigin + path;
    const request = { method: 'POST', headers: jsonHeaders(key), body: JSON.stringify(body) };
    const response = await running.fetch(new Request(url, request));
    return (await response.json()) as Created;
  }
  function openProvider(onRequest: (path: string) => void = () => {}): Provider {
    return createProvider({
      apiOrigin: running.apiOrigin,
      fetch(request) {
        onRequest(new URL(request.url).pathname);
        return running.fetch(request);
      },
    });
  }
  return {
    tenantId,
    get control() {
      return running.control;
    },
    get clock() {
      return running.clock;
    },
    create: () => post('/api/v1/sessions/create', secretKey, { returnUrl: RETURN_URL }),
    hosted: (action: string, token: string, body: object = {}) =>
      post(`/hosted/v1/${action}`, token, body),
    report: (...reports: readonly object[]) =>
      sendReports({ service: running }, { key: publishableKey, reports }),
    async restart() {
      await running.close();
      running = open();
      await running.ready;
    },
    openProvider,
    /** Opens the timeline in a new tab, or in the same one after a reload. */
    openTab(sessionId?: string, provider = openProvider()): TimelineStore {
      const store = createTimelineStore(provider);
      ends.push(store.follow());
      if (sessionId !== undefined) ends.push(store.choose(sessionId));
      return store;
    },
  };
}

type Service = Awaited<ReturnType<typeof aService>>;

/** What a reader sees of the entries. */
const shownBy = ({ entries }: TimelineStore) =>
  entries.value.map(({ id, kind, title, tone, atMs, sessionId }: Entry) => ({
    id,
    kind,
    title,
    tone,
    at: new Date(atMs).toISOString(),
    sessionId,
  }));

const titlesOf = ({ entries }: TimelineStore, kind?: string): string[] =>
  entries.value
    .filter((entry) => kind === undefined || entry.kind === kind)
    .map(({ title }) => title);

/** An hour with moves, endpoints, keys, settings, deliveries and a restart. */
async function runAnHour(service: Service): Promise<void> {
  const { tenantId } = service;
  const { id } = await service.control.createEndpoint(tenantId, { url: HOOK });
  const { sessionId } = await service.create();
  await service.control.settle(sessionId, 'verified');
  await service.clock.advance(800);
  await service.control.updateEndpoint(id, { enabled: false });
  await service.restart();
  await service.clock.freeze();
  const { secret } = await service.control.createKeyPair(tenantId);
  await service.control.revokeKey(secret.id);
  await service.control.updateTenant(tenantId, { sandboxMode: false });
  await service.control.updateEndpoint(id, { enabled: true });
  await service.create();
  await service.control.addFault({ operation: 'create', fault: '503' });
  await service.clock.advance(HOUR);
  await service.clock.resume();
  await service.control.deleteEndpoint(id);
}

describe('the entries of the service', () => {
  it.each([
    ['running', {}],
    ['frozen', { frozen: true }],
  ])(
    'are the same in an open tab, after a reload and in a second tab, with a %s clock',
    async (_name, clock) => {
      const service = await aService(clock);
      const open = service.openTab();
      await runAnHour(service);
      const [reloaded, second] = [service.openTab(), service.openTab()];
      await waitFor(() => {
        expect(titlesOf(reloaded).at(-1)).toBe(`Endpoint deleted: ${HOOK}`);
        expect(shownBy(second)).toEqual(shownBy(reloaded));
        expect(shownBy(open)).toEqual(shownBy(reloaded));
      });
      const isChange = (kind: string): boolean =>
        !['request', 'session', 'event', 'delivery'].includes(kind);
      const changes = reloaded.entries.value.filter(({ kind }) => isChange(kind));
      expect(changes.map(({ title }) => title).filter((title) => title !== 'Clock frozen')).toEqual(
        [
          `Endpoint added: ${HOOK}`,
          'Clock moved 800 ms forward',
          `Endpoint disabled: ${HOOK}`,
          'Key pair added',
          'Secret key revoked',
          'Settings changed: sandboxMode true → false',
          `Endpoint enabled: ${HOOK}`,
          'Fault 503: the next call to create',
          'Clock moved 1 h forward',
          'Clock resumed',
          `Endpoint deleted: ${HOOK}`,
        ],
      );
      expect(titlesOf(reloaded, 'delivery')).toContain(
        'verification.completed, attempt 1 → 204 · shop.example/hooks',
      );
    },
  );

  it('have the steps of the shopper, also after a reload', async () => {
    const service = await aService({ frozen: true });
    const open = service.openTab();
    const { sessionToken: token } = await service.create();
    await service.hosted('submit', token, { imageQuality: 'poor' });
    await service.hosted('retry', token);
    await service.hosted('submit', token, { imageQuality: 'good' });
    const reloaded = service.openTab();
    for (const tab of [open, reloaded])
      await waitFor(() =>
        expect(titlesOf(tab, 'session')).toEqual([
          expect.stringMatching(/^Session pending: /),
          'Image not usable: the shopper can retry',
          'Retry in the same session',
          'Session pending → verified',
        ]),
      );
  });

  it('are gone after a reset, which is itself an entry', async () => {
    const service = await aService();
    const open = service.openTab();
    await service.clock.advance(HOUR);
    await waitFor(() => expect(titlesOf(open)).toEqual(['Clock moved 1 h forward']));
    await service.control.reset();
    await waitFor(() => expect(titlesOf(open)).toEqual(['State reset']));
  });

  it('come with the messages of the service, so that no action waits for their lists', async () => {
    const service = await aService();
    const paths: string[] = [];
    const provider = service.openProvider((path) => paths.push(path));
    const open = service.openTab(undefined, provider);
    await provider.client.clock.advance(HOUR);
    await waitFor(() => expect(titlesOf(open)).toEqual(['Clock moved 1 h forward']));
    paths.length = 0;
    await provider.client.clock.advance(800);
    await waitFor(() => expect(titlesOf(open)).toHaveLength(2));
    expect(paths.filter((path) => path.endsWith('/changes'))).toEqual([]);
  });

  it('are a window of the newest ones, in an open tab as after a reload, and older ones on request', async () => {
    const service = await aService({ frozen: true });
    const open = service.openTab();
    await service.clock.advance(1_000);
    await waitFor(() => expect(open.entries.value).toHaveLength(1));
    for (let n = 1; n < 260; n += 1) await service.clock.advance(1_000);
    const reloaded = service.openTab();
    await waitFor(() => {
      expect(reloaded.entries.value).toHaveLength(250);
      expect(shownBy(open)).toEqual(shownBy(reloaded));
    });
    expect([open.hasOlder.value, reloaded.hasOlder.value]).toEqual([true, true]);
    await reloaded.readOlder();
    await waitFor(() => expect(reloaded.entries.value).toHaveLength(260));
    expect(reloaded.hasOlder.value).toBe(false);
    // What was read stays when there is more.
    await service.clock.advance(1_000);
    await waitFor(() => expect(reloaded.entries.value).toHaveLength(261));
    expect(reloaded.hasOlder.value).toBe(false);
  });

  it.each([
    ['older than', 1_000],
    ['as old as', 0],
  ])('do not include those of items that are %s all that a reload reads', async (_age, ms) => {
    const service = await aService({ frozen: true });
    const { sessionId } = await service.create();
    await service.clock.advance(ms);
    for (let n = 0; n < 260; n += 1) await service.control.trigger({ name: 'never' });
    const open = service.openTab();
    await waitFor(() => expect(open.hasOlder.value).toBe(true));
    await service.control.settle(sessionId, 'verified');
    await service.control.createKeyPair(service.tenantId);
    await waitFor(() => expect(titlesOf(open, 'key')).toHaveLength(1));
    const reloaded = service.openTab();
    await waitFor(() => expect(shownBy(reloaded)).toEqual(shownBy(open)));
    expect(titlesOf(open, 'session')).not.toContain('Session pending → verified');
  });

  it('begin when all lists are complete, except those of the chosen session', async () => {
    const service = await aService({ frozen: true });
    const { sessionId: first } = await service.create();
    await service.clock.advance(1_000);
    for (let n = 0; n < 260; n += 1) await service.control.trigger({ name: 'verified' });
    await service.clock.advance(1_000);
    await service.control.trigger({ name: 'verified' });
    const all = service.openTab();
    await waitFor(() => expect(all.hasOlder.value).toBe(true));
    expect(all.entries.value.some(({ sessionId }) => sessionId === first)).toBe(false);
    const chosen = service.openTab(first);
    await waitFor(() => {
      const own = chosen.entries.value.filter(({ sessionId }) => sessionId === first);
      expect(own.map(({ kind }) => kind)).toEqual(['request', 'session', 'event']);
    });
    expect(chosen.sessions.value.some(({ id }) => id === first)).toBe(true);
  });
});

describe('the entries of the pages', () => {
  it('have the session that the call of the SDK created, as soon as a report names it', async () => {
    const service = await aService();
    const { sessionId } = await service.create();
    const open = service.openTab();
    await service.report(
      aReport('verify.called', { attemptId: 'a' }),
      aReport('verify.called', { attemptId: 'b' }),
    );
    await waitFor(() => expect(titlesOf(open, 'sdk')).toHaveLength(2));
    await service.report(aReport('session.created', { attemptId: 'a', sessionId }));
    await waitFor(() =>
      expect(
        open.entries.value.filter(({ kind }) => kind === 'sdk').map((entry) => entry.sessionId),
      ).toEqual([sessionId, null, sessionId]),
    );
  });

  it('do not reappear after they were cleared, like those of the service', async () => {
    const service = await aService();
    const open = service.openTab();
    await service.report(aReport('page.shown'));
    await service.clock.advance(HOUR);
    await waitFor(() => expect(open.entries.value).toHaveLength(2));
    open.clear();
    await service.clock.advance(800);
    await waitFor(() => expect(titlesOf(open)).toEqual(['Clock moved 800 ms forward']));
  });
});

it('entries that were cleared do not hide those with the same numbers after a reset', async () => {
  const service = await aService();
  const open = service.openTab();
  // The page of the shop stays open during the reset.
  async function act() {
    await service.report(aReport('page.shown'));
    await service.control.createKeyPair(service.tenantId);
    await service.create();
  }
  await act();
  await waitFor(() => expect(open.entries.value.length).toBeGreaterThan(2));
  open.clear();
  await service.control.reset();
  await act();
  const reloaded = service.openTab();
  await waitFor(() => expect(reloaded.entries.value.length).toBeGreaterThan(2));
  await waitFor(() => expect(shownBy(open)).toEqual(shownBy(reloaded)));
});

it('a pause holds the entries, and counts those that arrive', async () => {
  const service = await aService();
  const open = service.openTab();
  await service.clock.advance(HOUR);
  await waitFor(() => expect(open.entries.value).toHaveLength(1));
  open.togglePause();
  await service.clock.advance(800);
  await waitFor(() => expect(open.waiting.value).toBe(1));
  expect(open.entries.value).toHaveLength(1);
  open.togglePause();
  expect(open.entries.value).toHaveLength(2);
});

it('a pause counts those that arrive although as many leave, and not those that only leave', async () => {
  const service = await aService({ frozen: true });
  const { sessionId } = await service.create();
  await service.clock.advance(1_000);
  for (let n = 0; n < 260; n += 1) await service.clock.advance(1_000);
  const open = service.openTab();
  const leaveSession = open.choose(sessionId);
  const hasSession = () => open.entries.value.some((entry) => entry.sessionId === sessionId);
  await waitFor(() => expect(hasSession() && open.hasOlder.value).toBe(true));
  open.togglePause();
  leaveSession();
  await service.clock.advance(2_000);
  await service.clock.advance(2_000);
  await waitFor(() => expect(open.waiting.value).toBe(2));
});
