// @vitest-environment jsdom
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { serveDocs } from '../../../mock-server/hosts/node-pages.ts';
import { GuideLink } from '../../../playground/doctor/views/guide-link.tsx';
import { showPage } from '../shared/kit/a-page.tsx';

/** A folder with an index.html, in place of the built documentation. */
const SITE = join(import.meta.dirname, '../../../playground');

afterEach(() => vi.unstubAllGlobals());

it("GuideLink links to the guide's page if the server has the documentation", async () => {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    serveDocs(SITE, new Request(`http://localhost${path}`, init)),
  );
  const page = await showPage(<GuideLink guide={{ name: 'Redirect', file: 'redirect.md' }} />);
  await vi.waitFor(() =>
    expect(page.get('[data-testid=guide]').getAttribute('href')).toBe('/docs/guides/redirect/'),
  );
});
