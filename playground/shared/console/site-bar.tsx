import type { JSX } from 'preact';
import './site-bar.css';
import { OWN_DOCS } from '../docs.ts';
import type { Live } from '../live.ts';
import type { Provider } from '../provider.ts';
import { HAS_DEMO, siteUrl } from '../site.ts';
import { ClockMenu } from './clock-menu.tsx';
import { StateMenu } from './state-menu.tsx';
import { ThemeSelect } from './theme-select.tsx';

const PLACES = [
  { id: 'shop', name: 'Shop', path: '', isShown: HAS_DEMO },
  { id: 'console', name: 'Console', path: 'console/', isShown: true },
  { id: 'labs', name: 'Labs', path: 'labs/', isShown: HAS_DEMO },
] as const;

export type PlaceId = (typeof PLACES)[number]['id'];

/** The bar with the navigation between the playground's pages, the service's clock and its state. */
export function SiteBar(props: { here: PlaceId; provider: Provider | null }): JSX.Element {
  const { here, provider } = props;
  return (
    <section class="site-bar" aria-label="OfAge playground">
      <SkipLink />
      <span class="site-bar__brand">
        <Shield /> OfAge
      </span>
      <nav class="site-bar__nav" aria-label="Playground">
        {PLACES.filter(({ isShown }) => isShown).map(({ id, name, path }) => (
          <a
            key={id}
            href={siteUrl(path)}
            data-testid={`go-${id}`}
            {...(id === here ? { 'aria-current': 'page' as const } : {})}
          >
            {name}
          </a>
        ))}
        {OWN_DOCS !== null && (
          <a href={OWN_DOCS} data-testid="go-docs">
            Docs
          </a>
        )}
      </nav>
      <ThemeSelect />
      {provider && (
        <>
          <ClockMenu provider={provider} />
          <StateMenu client={provider.client} />
          <ConnectionStatus live={provider.live} />
        </>
      )}
    </section>
  );
}

function ConnectionStatus({ live }: { live: Live }): JSX.Element {
  return (
    // The status element is always rendered, because screen readers announce only changes inside it.
    <div class="connection" role="status">
      {live.connection.value === 'lost' && (
        <p data-testid="connection-lost">
          Connection to the service lost. What you see may be out of date. Reconnecting…
        </p>
      )}
    </div>
  );
}

/** A link past the bar, which is the first control that Tab reaches. */
function SkipLink(): JSX.Element {
  return (
    <a
      class="site-bar__skip"
      href="#main"
      data-testid="skip-link"
      onClick={(event) => {
        // Moves the focus without following the link, because the fragment contains the page's own route.
        event.preventDefault();
        const main = document.querySelector('main');
        main?.setAttribute('tabindex', '-1');
        main?.focus();
      }}
    >
      Skip to content
    </a>
  );
}

function Shield(): JSX.Element {
  return (
    <svg width="18" height="18" viewBox="0 0 32 32" aria-hidden="true">
      <path fill="#6d73ff" d="M16 2l11 4v9c0 7-4.6 12.5-11 15C9.6 27.5 5 22 5 15V6z" />
      <path
        fill="none"
        stroke="#fff"
        stroke-width="3"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="M10.5 16l4 4 7.5-8.5"
      />
    </svg>
  );
}
