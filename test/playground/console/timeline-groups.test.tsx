// @vitest-environment jsdom
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { App } from '../../../playground/console/app.tsx';
import { createProvider } from '../../../playground/shared/provider.ts';
import { aMock, type Mock } from '../../support/a-mock.ts';
import { aReport, sendReports } from '../../support/reports.ts';
import { showPage } from '../shared/kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

// jsdom has neither.
Element.prototype.scrollTo = () => {};
HTMLDialogElement.prototype.close = () => {};

// Once opened, the timeline follows its service until the document is closed, and says that it has ended.
beforeEach(() => void vi.spyOn(console, 'debug').mockImplementation(() => undefined));

/** Opens the timeline of a mock. */
async function aTimeline(mock: Mock) {
  const { fetch, apiOrigin } = mock.service;
  const provider = createProvider({ apiOrigin, fetch });
  location.hash = '#timeline';
  const page = await showPage(<App provider={provider} />);
  onTestFinished(() => page.show(null));
  const readGroups = (): string[] =>
    [...document.querySelectorAll('[data-testid=group]')].map((group) => {
      const rows = group.querySelectorAll('[data-testid=entry]').length;
      return `${group.querySelector('h3')?.textContent}: ${rows > 0 ? 'rows' : 'empty'}`;
    });
  const summaryOf = (title: string): HTMLElement => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-testid=entry] summary')];
    return rows.find(({ textContent }) => textContent.includes(title))!;
  };
  /** Chooses one list, or the groups. */
  const list = (value: string): Promise<void> =>
    page.act(async () => {
      const select = page.get<HTMLSelectElement>('[data-testid=filter-list]');
      select.value = value;
      select.dispatchEvent(new Event('input', { bubbles: true }));
      await waitFor(() => expect(location.hash.includes('list=plain')).toBe(value === 'plain'));
      // jsdom sends the event later.
      window.dispatchEvent(new Event('hashchange'));
    });
  return { page, readGroups, summaryOf, press: (testId: string) => press(page, testId), list };
}

const press = (page: Awaited<ReturnType<typeof showPage>>, testId: string): Promise<void> =>
  page.act(() => {
    page.get(`[data-testid=${testId}]`).click();
    // jsdom sends the event later.
    window.dispatchEvent(new Event('hashchange'));
  });

const short = (id: string): string => `Session ${id.slice(0, 8)}: rows`;

it('shows one group for each verification, and one list on request', async () => {
  const mock = await aMock();
  const first = await mock.create();
  await sendReports(mock, {
    key: mock.publishableKey,
    reports: [aReport('verify.called', { attemptId: 'blocked' })],
  });
  // The newest is above, so they must not come in the same millisecond.
  await mock.clock.advance(1_000);
  const second = await mock.create();
  const timeline = await aTimeline(mock);
  const groups = [
    short(second.sessionId),
    'Verification without a session: rows',
    short(first.sessionId),
  ];
  await waitFor(() => expect(timeline.readGroups()).toEqual(groups));
  const rows = document.querySelectorAll('[data-testid=entry]').length;
  // The settings and the clock belong to no verification.
  expect(timeline.page.has('ol.entries > [data-testid=entry]')).toBe(true);
  expect(timeline.page.has('[data-testid=entry] [data-testid=only-session]')).toBe(false);

  await timeline.list('plain');
  await waitFor(() => expect(timeline.readGroups()).toEqual([]));
  expect(location.hash).toContain('list=plain');
  expect(document.querySelectorAll('[data-testid=entry]')).toHaveLength(rows);
  expect(timeline.page.has('[data-testid=entry] [data-testid=only-session]')).toBe(true);
  await timeline.list('');
  await waitFor(() => expect(timeline.readGroups()).toEqual(groups));
});

it('keeps the focus on its row while its group moves', async () => {
  const mock = await aMock();
  const first = await mock.create();
  const second = await mock.create();
  const timeline = await aTimeline(mock);
  const before = [short(second.sessionId), short(first.sessionId)];
  await waitFor(() => expect(timeline.readGroups()).toEqual(before));
  const [, lower] = document.querySelectorAll('[data-testid=group]');
  const row = lower!.querySelector('summary')!;
  row.focus();
  await mock.control.settle(first.sessionId, 'verified');
  await waitFor(() => expect(timeline.readGroups()).toEqual(before.toReversed()));
  expect(document.activeElement).toBe(row);
});

it('keeps the focus on its row when a verification gets its session', async () => {
  const mock = await aMock();
  const report = (more: object): Promise<unknown> =>
    sendReports(mock, {
      key: mock.publishableKey,
      reports: [aReport('verify.called', { attemptId: 'a', ...more })],
    });
  await report({});
  const timeline = await aTimeline(mock);
  const without = ['Verification without a session: rows'];
  await waitFor(() => expect(timeline.readGroups()).toEqual(without));
  timeline.summaryOf('verify() called').focus();
  const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset['id'];
  const { sessionId } = await mock.create();
  await report({ sessionId });
  await waitFor(() => expect(timeline.readGroups()).toEqual([short(sessionId)]));
  expect(document.activeElement?.tagName).toBe('SUMMARY');
  expect(document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset['id']).toBe(id);
});

const openDrawing = (page: Awaited<ReturnType<typeof showPage>>): Promise<void> =>
  page.act(() => {
    const details = page.get<HTMLDetailsElement>('[data-testid=group] .more');
    details.open = true;
  });

const readDrawing = (): string[] =>
  [...document.querySelectorAll('[data-testid=group] [data-testid=message] .arrow__line')].map(
    ({ textContent }) => textContent,
  );

const BLOCKED = [
  aReport('verify.called', { attemptId: 'b', facts: { isInClick: false } }),
  aReport('window.opened', { attemptId: 'b', facts: { isOpen: false } }),
];

it('draws a verification without a session, and says when it has ended without one', async () => {
  const mock = await aMock();
  const key = mock.publishableKey;
  await sendReports(mock, { key, reports: BLOCKED });
  const timeline = await aTimeline(mock);
  await waitFor(() => expect(timeline.readGroups()).toHaveLength(1));
  await openDrawing(timeline.page);
  const blocked = [expect.stringContaining('verify() called'), expect.stringMatching(/window/i)];
  expect(readDrawing()).toEqual([
    ...blocked,
    'Your page → Service: Missing: No session has been created yet',
  ]);
  const facts = { code: 'popup_blocked' };
  await sendReports(mock, {
    key,
    reports: [aReport('verify.rejected', { attemptId: 'b', facts })],
  });
  await waitFor(() =>
    expect(readDrawing()).toEqual([
      ...blocked,
      expect.stringContaining('popup_blocked'),
      'Your page → Service: Missing: No session was created',
    ]),
  );
});

it('says that the newest verification has no session, until another one has', async () => {
  const mock = await aMock();
  const first = await mock.create();
  const timeline = await aTimeline(mock);
  const readNewest = (): string | null | undefined =>
    document.querySelector('[data-testid=newest-session]')?.textContent;
  await waitFor(() => expect(readNewest()).toBe('Newest session'));
  await mock.clock.advance(1_000);
  await sendReports(mock, { key: mock.publishableKey, reports: BLOCKED });
  await waitFor(() => expect(readNewest()).toBe('Newest session (a later verification has none)'));
  // What happens to the older session later does not make it the newest verification.
  await mock.clock.advance(1_000);
  await mock.control.settle(first.sessionId, 'cancelled');
  await waitFor(() => expect(timeline.readGroups()[0]).toBe(short(first.sessionId)));
  expect(readNewest()).toBe('Newest session (a later verification has none)');
  await mock.clock.advance(1_000);
  await mock.create();
  await waitFor(() => expect(readNewest()).toBe('Newest session'));
});
