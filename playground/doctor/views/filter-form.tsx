import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Moment } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { ValueChip } from '../../shared/kit/chip.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import type { Live } from '../../shared/live.ts';
import type { Provider } from '../../shared/provider.ts';
import * as sources from '../../shared/old-lists.ts';
import { type Route, toHash } from '../route.ts';

interface Props {
  readonly provider: Provider;
  readonly route: Route;
  readonly onRecheck: () => Promise<void>;
}

/**
 * Selects the sessions and the period that the report covers. Test ids: session-filter, account-filter,
 * labs-filter, since-now, since, all-sessions, recheck.
 */
export function FilterForm({ provider, route, onRecheck }: Props): JSX.Element {
  const accounts = sources.useList(provider, sources.accounts).data.value ?? [];
  /** The user's input, which a new report must not overwrite. */
  const wanted = useSignal(route.sessionId);
  useLayoutEffect(() => void (wanted.value = route.sessionId), [route.sessionId]);
  const change = (part: Partial<Route>): void => {
    location.hash = toHash({ ...route, ...part });
  };
  return (
    <form
      class="filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change({ sessionId: wanted.value.trim() });
      }}
    >
      <SelectField
        label="Account"
        options={[
          { value: '', text: 'All accounts' },
          ...accounts.map(({ id, name }) => ({ value: id, text: name })),
        ]}
        value={route.tenantId}
        onValue={(tenantId) => change({ tenantId })}
        testId="account-filter"
      />
      <TextField
        label="Session"
        placeholder="Session ID"
        verbatim
        mono
        bind={wanted}
        testId="session-filter"
      />
      <Button>Filter</Button>
      {route.sessionId !== '' && (
        <a class="button" href={toHash({ ...route, sessionId: '' })} data-testid="all-sessions">
          All sessions
        </a>
      )}
      <Since live={provider.live} since={route.since} onChange={(since) => change({ since })} />
      <Button variant="primary" onPress={onRecheck} testId="recheck">
        Check again
      </Button>
      <CheckField
        label="Include the labs, which make mistakes on purpose, and the demo shop’s endpoint"
        value={route.labs}
        onValue={(labs) => change({ labs })}
        testId="labs-filter"
      />
    </form>
  );
}

/**
 * Shows a button that limits the report to the time from now on or, once a limit is set, a chip that
 * removes it.
 */
function Since(props: {
  live: Live;
  since: string;
  onChange: (since: string) => void;
}): JSX.Element {
  const { live, since, onChange } = props;
  if (since === '') {
    return (
      <Button
        title="Ignores everything that happened before now"
        onPress={() => onChange(new Date(live.clock.now()).toISOString())}
        testId="since-now"
      >
        Since now
      </Button>
    );
  }
  return (
    <ValueChip remove={{ label: 'Show everything again', onPress: () => onChange('') }}>
      <span data-testid="since">
        Since <Moment at={since} />
      </span>
    </ValueChip>
  );
}
