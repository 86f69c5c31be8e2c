import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './site-bar.css';
import { docsUrl } from '../docs.ts';
import type { Provider } from '../provider.ts';
import { siteUrl } from '../site.ts';
import { ClockControl } from './clock-control.tsx';
import { ConnectionNotice } from './connection-notice.tsx';

export const PLACES = [
  { id: 'shop', name: 'Shop', path: '' },
  { id: 'inspector', name: 'Inspector', path: 'inspector/' },
  { id: 'dashboard', name: 'Dashboard', path: 'dashboard/' },
  { id: 'labs', name: 'Labs', path: 'labs/' },
  { id: 'doctor', name: 'Doctor', path: 'doctor/' },
] as const;

export type PlaceId = (typeof PLACES)[number]['id'];

/** The bar with the service's clock and the navigation between the playground's pages. */
export function SiteBar(props: { here: PlaceId; provider: Provider | null }): JSX.Element {
  const nav = useCurrentInView();
  const docs = docsUrl('');
  return (
    <section class="site-bar" aria-label="OfAge playground">
      <SkipLink />
      <span class="site-bar__brand">
        <Shield /> OfAge
      </span>
      <nav class="site-bar__nav" aria-label="Playground" ref={nav}>
        {PLACES.map(({ id, name, path }) => (
          <a
            key={id}
            href={siteUrl(path)}
            data-testid={`go-${id}`}
            {...(id === props.here ? { 'aria-current': 'page' as const } : {})}
          >
            {name}
          </a>
        ))}
        {docs !== null && (
          <a href={docs} data-testid="go-docs">
            Docs
          </a>
        )}
      </nav>
      {props.provider && (
        <>
          <ClockControl provider={props.provider} />
          <ConnectionNotice live={props.provider.live} />
        </>
      )}
    </section>
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

/** Returns a ref for the navigation, which keeps the current page in view when the bar is narrow. */
function useCurrentInView(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const nav = ref.current;
    const current = nav?.querySelector<HTMLElement>('[aria-current]');
    if (!nav || !current) return undefined;
    const observer = new ResizeObserver(() => {
      // Shows a little of the next link too, as a sign that the navigation can be scrolled.
      const end = current.offsetLeft + current.offsetWidth - nav.offsetLeft;
      nav.scrollLeft = end - nav.clientWidth + 16;
    });
    observer.observe(nav);
    // The font changes the width of the links when it has loaded.
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return ref;
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
