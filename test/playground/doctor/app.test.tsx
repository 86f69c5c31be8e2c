// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMockService, type MockService } from 'ofage/mock';
import { createProvider } from '../../../playground/shared/provider.ts';
import { App } from '../../../playground/doctor/views/app.tsx';
import { type KitPage, showPage } from '../shared/kit/a-page.tsx';

let service: MockService;
let page: KitPage;
/** One entry per report request: the session id, or "all". */
let reportRequests: string[];

beforeEach(async () => {
  location.hash = '';
  service = createMockService();
  reportRequests = [];
  const provider = createProvider({
    apiOrigin: service.apiOrigin,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname.endsWith('/doctor')) reportRequests.push(searchParams.get('sessionId') ?? 'all');
      return service.fetch(request);
    },
  });
  page = await showPage(<App provider={provider} />);
  await vi.waitFor(() => expect(page.has('[data-testid=verdict]')).toBe(true));
});
afterEach(async () => {
  await page.show(null);
  await service.close();
});

const findings = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid=finding]')].map(
    ({ dataset }) => dataset.code,
  );

const press = (css: string): Promise<void> => page.act(() => page.get(css).click());

describe('the report', () => {
  it('is replaced by an error if the selected session does not exist, until none is selected', async () => {
    location.hash = '#nothing-of-the-kind';
    await vi.waitFor(() =>
      expect(page.get('[data-testid=error]').textContent).toContain('not found'),
    );
    expect(reportRequests.at(-1)).toBe('nothing-of-the-kind');
    expect(page.has('[data-testid=verdict]')).toBe(false);
    location.hash = '';
    await vi.waitFor(() => expect(page.has('[data-testid=verdict]')).toBe(true));
    expect(page.has('[data-testid=error]')).toBe(false);
  });

  it('covers only the selected account and time', async () => {
    const { id: sessionId } = await service.control.trigger({ name: 'verified' });
    await service.control.addObservation({ kind: 'url_status_trusted', sessionId });
    await vi.waitFor(() => expect(findings()).toContain('url_status_trusted'), 3_000);
    await press('[data-testid=since-now]');
    const isNothing = () =>
      expect(page.get('[data-testid=verdict]').dataset.verdict).toBe('nothing');
    await vi.waitFor(isNothing, 3_000);
    expect(page.get('[data-testid=since]').textContent).toContain('Since');
    await press('[aria-label="Show everything again"]');
    await vi.waitFor(() => expect(findings()).toContain('url_status_trusted'), 3_000);
    const { id } = await service.control.createTenant({ name: 'Wine' });
    location.hash = `#?tenant=${id}`;
    await vi.waitFor(isNothing, 3_000);
    await vi.waitFor(() =>
      expect(page.get<HTMLSelectElement>('[data-testid=account-filter]').value).toBe(id),
    );
  });

  it('omits the sessions of the labs until they are included', async () => {
    const { id } = await service.control.trigger({
      name: 'verified',
      externalUserId: 'ofage_lab:mallory',
    });
    await service.control.addObservation({ kind: 'url_status_trusted', sessionId: id });
    await vi.waitFor(() => expect(page.has('[data-testid=labs-left-out]')).toBe(true), 3_000);
    expect(findings()).toEqual([]);
    await press('[data-testid=labs-filter]');
    await vi.waitFor(() => expect(findings()).toContain('url_status_trusted'), 3_000);
  });
});
