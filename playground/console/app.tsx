import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './console.css';
import { toAccountLabel } from '../../mock-server/words/accounts.ts';
import { ErrorNote } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { Dialog } from '../shared/kit/dialog.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import type { Provider } from '../shared/provider.ts';
import { useHash } from '../shared/use-hash.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Doctor } from './doctor.tsx';
import { Endpoint } from './endpoint.tsx';
import { Form, readText } from './form.tsx';
import { HeldNote } from './held-note.tsx';
import { Keys } from './keys.tsx';
import { Overview } from './overview.tsx';
import { Loaded } from './parts.tsx';
import { returnToPlace } from './places.ts';
import * as queries from './queries.ts';
import { PAGES, type PageId, type RouteTarget, parseRoute, toHash } from './route.ts';
import { useSearchKey } from './search-key.ts';
import { Session } from './session.tsx';
import { Sessions } from './sessions.tsx';
import { Settings } from './settings.tsx';
import { Simulate } from './simulate.tsx';
import { Timeline } from './timeline/page.tsx';
import { Webhooks } from './webhooks.tsx';

type View = (props: { context: Context; id: string }) => JSX.Element;

/** The view of each page, and that of one item for the pages that have items. */
const VIEWS: Readonly<Record<PageId, { readonly whole: View; readonly item?: View }>> = {
  overview: { whole: Overview },
  sessions: { whole: Sessions, item: Session },
  timeline: { whole: Timeline },
  webhooks: { whole: Webhooks, item: Endpoint },
  keys: { whole: Keys },
  settings: { whole: Settings },
  simulate: { whole: Simulate },
  doctor: { whole: Doctor },
};

export function App({ provider }: { provider: Provider }): JSX.Element {
  const route = useHash(parseRoute).value;
  const { page, id } = route;
  useEffect(returnToPlace, [route]);
  const account = route.query['account'] ?? '';
  useSearchKey(() => {
    location.hash = toHash({ page: 'sessions', query: { account } });
  });

  const accounts = useQuery(provider.live, queries.accounts(provider.client));
  const tenants = accounts.data ?? [];
  const tenant = tenants.find((one) => one.id === account) ?? tenants[0];
  if (!tenant) {
    return (
      <main class="page">
        <Loaded result={accounts}>
          {() => <p class="note tone--bad">The service has no account.</p>}
        </Loaded>
      </main>
    );
  }
  // The first account is the default. Leaving out its id keeps most URLs short.
  const shown = tenant.id === tenants[0]?.id ? '' : tenant.id;
  const href = (target: RouteTarget): string =>
    toHash({ ...target, query: { account: shown, ...target.query } });
  const context: Context = {
    provider,
    tenant,
    tenants,
    route,
    nowMs: provider.live.clock.nowMs,
    href,
    go: (target) => (location.hash = href(target)),
  };
  const { whole, item } = VIEWS[page];
  const View = id === null ? whole : (item ?? whole);
  return (
    <div class="page">
      <div class="desk">
        <section class="desk__side" aria-label="Account and pages">
          <AccountChoice context={context} />
          <div class="desk__places">
            <NewAccount context={context} />
            <Menu context={context} />
          </div>
        </section>
        <main class="desk__main" key={`${tenant.id} ${page} ${id ?? ''}`}>
          <ErrorNote text={accounts.error} testId="load-error" />
          <HeldNote provider={provider} />
          <View context={context} id={id ?? ''} />
        </main>
      </div>
    </div>
  );
}

function Menu({ context }: { context: Context }): JSX.Element {
  const { provider, tenant, route, href } = context;
  const { client, live } = provider;
  const { data: endpoints } = useQuery(live, queries.endpoints(client, tenant.id));
  const { data: faults } = useQuery(live, queries.faults(client, tenant.id));
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the menu scrolls sideways, until the page's name is beside the account. It does so again
    // after the counts have made it wider, unless the focus is in the menu.
    const menu = nav.current;
    const current = menu?.querySelector<HTMLElement>('[aria-current]');
    if (!menu || !current || menu.contains(document.activeElement)) return;
    // The first page leaves the button before it in view.
    const left = current.previousElementSibling === null ? 0 : current.offsetLeft;
    menu.parentElement?.scrollTo({ left });
  }, [route.page, endpoints === null, faults === null]);
  /** The problems or faults on a page, beside its name. */
  const counts: Partial<Record<PageId, number | undefined>> = {
    webhooks: endpoints?.filter(({ health }) => health.pausedAt !== null).length,
    simulate: faults?.length,
  };
  return (
    <nav
      class="menu"
      aria-label="Console"
      ref={nav}
      // Some browsers leave a name that is partly in view where it is.
      onFocusIn={({ target }) =>
        (target as Element).scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
    >
      {PAGES.map(({ id, name }) => (
        <a
          key={id}
          href={href({ page: id })}
          data-testid={`page-${id}`}
          {...(id === route.page ? { 'aria-current': 'page' as const } : {})}
        >
          {name}
          {Boolean(counts[id]) && (
            <>
              {' '}
              <Chip tone={id === 'simulate' ? 'warn' : 'bad'}>{counts[id]}</Chip>
              <span class="visually-hidden">{id === 'simulate' ? ' active' : ' to fix'}</span>
            </>
          )}
        </a>
      ))}
    </nav>
  );
}

function AccountChoice({ context }: { context: Context }): JSX.Element {
  const { tenant, tenants, route } = context;
  const choose = (id: string): void => {
    const account = id === tenants[0]?.id ? '' : id;
    location.hash = toHash({ page: route.page, query: { account } });
  };
  return (
    <SelectField
      label="Account"
      hideLabel
      options={tenants.map((each) => ({ value: each.id, text: toAccountLabel(each) }))}
      value={tenant.id}
      onValue={choose}
      testId="account"
    />
  );
}

function NewAccount({ context }: { context: Context }): JSX.Element {
  const isOpen = useSignal(false);
  const create = async (form: FormData): Promise<void> => {
    const { client } = context.provider;
    const account = await client.createTenant({ name: readText(form, 'name') || null });
    isOpen.value = false;
    // A new account needs keys before it can do anything, so show the keys next.
    location.hash = toHash({ page: 'keys', query: { account: account.id } });
  };
  return (
    <>
      <Button aria-label="New account" onPress={() => (isOpen.value = true)} testId="new-account">
        +
      </Button>
      <Dialog title="New account" isOpen={isOpen}>
        <Form submit="Create account" save={create} done="Account created" isPrimary>
          <p class="muted">A separate merchant with its own policy, keys, sessions and webhooks.</p>
          <TextField name="name" label="Name" placeholder="Demo shop" testId="account-name" />
        </Form>
      </Dialog>
    </>
  );
}
