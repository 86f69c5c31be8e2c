import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import '../dashboard.css';
import { accounts } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import type { Provider } from '../../shared/provider.ts';
import { useHash } from '../../shared/use-hash.ts';
import { returnToPlace } from '../places.ts';
import { type RouteTarget, SECTIONS, parseRoute, toHash } from '../route.ts';
import { AccountChoice, NewAccount } from './accounts.tsx';
import type { AppContext } from './app-context.ts';
import { Loaded } from './bits.tsx';
import { Emails } from './emails.tsx';
import { Keys } from './keys.tsx';
import { Overview } from './overview.tsx';
import { SessionDetail } from './session-detail.tsx';
import { Sessions } from './sessions.tsx';
import { Settings } from './settings.tsx';
import { useSearchKey } from './use-search-key.ts';
import { EndpointDetail } from './endpoint-detail.tsx';
import { Webhooks } from './webhooks.tsx';

export function App({ provider }: { provider: Provider }): JSX.Element {
  const route = useHash(parseRoute);
  const { live } = provider;
  const { nowMs } = live.clock;
  const allAccounts = useList(provider, accounts);
  const { section } = route.value;
  useEffect(returnToPlace, [route.value]);
  useSearchKey(() => {
    const account = route.value.query['account'] ?? '';
    location.hash = toHash({ section: 'sessions', query: { account } });
  });

  return (
    <Loaded live={allAccounts}>
      {(tenants) => {
        const accountId = route.value.query['account'];
        const tenant = tenants.find(({ id }) => id === accountId) ?? tenants[0];
        if (!tenant) return <p class="note note--bad">The service has no account.</p>;
        // The first account is the default. Leaving out its id keeps most URLs short.
        const account = tenant.id === tenants[0]?.id ? '' : tenant.id;
        const href = (target: RouteTarget): string =>
          toHash({ ...target, query: { account, ...target.query } });
        const context: AppContext = {
          provider,
          tenant,
          tenants,
          route: route.value,
          nowMs,
          href,
          go: (target) => void (location.hash = href(target)),
        };
        return (
          <div class="desk">
            <div class="desk__side">
              <AccountChoice context={context} />
              <Menu context={context} />
              <NewAccount context={context} />
            </div>
            <div class="desk__main" key={`${tenant.id} ${section} ${route.value.id ?? ''}`}>
              <Section context={context} />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

function Section({ context }: { context: AppContext }): JSX.Element {
  const { section, id } = context.route;
  switch (section) {
    case 'overview':
      return <Overview context={context} />;
    case 'sessions':
      return id === null ? (
        <Sessions context={context} />
      ) : (
        <SessionDetail context={context} id={id} />
      );
    case 'keys':
      return <Keys context={context} />;
    case 'webhooks':
      return id === null ? (
        <Webhooks context={context} />
      ) : (
        <EndpointDetail context={context} id={id} />
      );
    case 'emails':
      return <Emails context={context} />;
    case 'settings':
      return <Settings context={context} />;
  }
}

function Menu({ context }: { context: AppContext }): JSX.Element {
  const nav = useRef<HTMLElement>(null);
  const { section } = context.route;
  useEffect(() => {
    // On a phone the menu scrolls sideways. Unlike `scrollIntoView`, setting `scrollLeft` never scrolls the
    // page.
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && current)
      nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft;
  }, [section]);
  return (
    <nav class="menu" aria-label="Dashboard" ref={nav}>
      {SECTIONS.map(({ id, name }) => (
        <a
          key={id}
          href={context.href({ section: id })}
          data-testid={`section-${id}`}
          {...(id === section ? { 'aria-current': 'page' as const } : {})}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
