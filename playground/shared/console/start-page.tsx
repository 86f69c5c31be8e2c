import type { ComponentChildren } from 'preact';
import '../base.css';
import './console.css';
import { formatError } from '../kit/format-error.ts';
import { renderPage } from '../kit/render-page.ts';
import { Toasts } from '../kit/toast.tsx';
import { type Provider, openProvider } from '../provider.ts';
import { type PlaceId, SiteBar } from './site-bar.tsx';

/**
 * Renders a developer page once the service is open, or an error page if the service cannot be opened. `show`
 * returns the page's `main` with what is beside it.
 */
export async function startPage(
  here: PlaceId,
  show: (provider: Provider) => ComponentChildren,
): Promise<void> {
  const root = document.getElementById('app');
  if (!root) return;
  try {
    const provider = await openProvider();
    renderPage(
      <>
        <SiteBar here={here} provider={provider} />
        {show(provider)}
        <Toasts />
      </>,
      root,
    );
  } catch (error) {
    renderPage(
      <>
        <SiteBar here={here} provider={null} />
        <main class="page">
          <h1>The service cannot be opened</h1>
          <p class="note tone--bad">{formatError(error)}</p>
        </main>
      </>,
      root,
    );
  }
}
