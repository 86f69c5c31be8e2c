import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import '../dashboard.css';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { accounts } from '../../shared/live/sources.ts';
import { useList } from '../../shared/live/use-live.ts';
import type { Provider } from '../../shared/provider.ts';
import { useHash } from '../../shared/use-hash.ts';
import { type RouteTarget, SECTIONS, parseRoute, toHash } from '../route.ts';
import { Loaded } from './bits.tsx';
import type { AppContext } from './app-context.ts';
import { Emails } from './emails.tsx';
import { Form, useSubmission } from './form.tsx';
import { Keys } from './keys.tsx';
import { Overview } from './overview.tsx';
import { SessionDetail } from './session-detail.tsx';
import { Sessions } from './sessions.tsx';
import { Settings } from './settings.tsx';
import { EndpointDetail, Webhooks } from './webhooks.tsx';

export function App({ provider }: { provider: Provider }): JSX.Element {
  const route = useHash(parseRoute);
  const { live } = provider;
  const { nowMs } = live.clock;
  const allAccounts = useList(live, accounts);
  const { section } = route.value;
  useEffect(() => {
    const name = SECTIONS.find(({ id }) => id === section)?.name ?? '';
    document.title = `${name} · Dashboard · OfAge playground`;
  }, [section]);

  return (
    <Loaded live={allAccounts}>
      {(tenants) => {
        const accountId = route.value.query['account'];
        const tenant = tenants.find(({ id }) => id === accountId) ?? tenants[0];
        if (!tenant) return <p class="note note--bad">There is no account</p>;
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
              <Accounts context={context} />
              <Menu context={context} />
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
    // On a phone the menu scrolls sideways. Setting its `scrollLeft` does not scroll the page.
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

function Accounts({ context }: { context: AppContext }): JSX.Element {
  const { tenant, tenants, provider } = context;
  const isOpen = useSignal(false);
  const name = useSignal('');
  const submission = useSubmission(['name']);
  const choose = (id: string): void => {
    const account = id === tenants[0]?.id ? '' : id;
    location.hash = toHash({ section: context.route.section, query: { account } });
  };
  const create = (): void =>
    void submission.run(async () => {
      const account = await provider.client.createTenant({ name: name.value.trim() || null });
      isOpen.value = false;
      // A new account needs keys before it can do anything, so show the keys section next.
      location.hash = toHash({ section: 'keys', query: { account: account.id } });
    }, 'Account created');

  return (
    <div class="accounts">
      {tenants.length > 1 ? (
        <SelectField
          label="Account"
          options={tenants.map(({ id, name }) => ({ value: id, text: name }))}
          value={tenant.id}
          onValue={choose}
          testId="account"
        />
      ) : (
        <p class="accounts__name">
          <span class="visually-hidden">Account: </span>
          {tenant.name}
        </p>
      )}
      <Button
        small
        onPress={() => {
          name.value = '';
          isOpen.value = true;
        }}
        testId="new-account"
      >
        New account
      </Button>
      <Dialog title="New account" isOpen={isOpen}>
        <Form submission={submission} submit="Create account" onSubmit={create}>
          <p class="muted">
            A merchant of its own: with its own policy, keys, sessions and webhooks.
          </p>
          <TextField
            label="Name"
            error={submission.problems.value.of('name')}
            placeholder="Demo shop"
            bind={name}
            testId="account-name"
          />
        </Form>
      </Dialog>
    </div>
  );
}
