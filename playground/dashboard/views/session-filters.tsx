import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { toPairName } from '../key-view.ts';
import { STATUSES } from '../outcomes.ts';
import type { SessionSearch } from '../session-search.ts';
import type { AppContext } from './app-context.ts';
import { usePairs } from './use-pairs.ts';

/** The time without typing after which the search starts. */
const DEBOUNCE_MS = 200;

const ANY = { value: '', text: 'any' };

/** Changes the query parameters in the URL. */
export type Go = (change: Readonly<Record<string, string>>) => void;

export function SessionFilters(props: {
  context: AppContext;
  search: SessionSearch;
  /** The reasons to choose from. */
  reasons: readonly string[];
  go: Go;
}): JSX.Element {
  const { context, search, reasons, go } = props;
  const { text, type, start, change } = useSearchText(search.text, go);
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <TextField
        label="Session id or externalUserId"
        class="filters__text"
        type="search"
        placeholder="Press / to search"
        verbatim
        value={text}
        onValue={type}
        testId="session-search"
      />
      <Choices context={context} search={search} reasons={reasons} change={change} />
    </form>
  );
}

function Choices(props: {
  context: AppContext;
  search: SessionSearch;
  reasons: readonly string[];
  change: Go;
}): JSX.Element {
  const { context, search, reasons, change } = props;
  const pairs = usePairs(context).data.value ?? [];
  return (
    <>
      <SelectField
        label="Status"
        options={[ANY, ...STATUSES]}
        value={search.status}
        onValue={(status) => change({ status })}
        testId="filter-status"
      />
      <SelectField
        label="Reason"
        options={[ANY, ...reasons]}
        value={search.reason}
        onValue={(reason) => change({ reason })}
        testId="filter-reason"
      />
      <SelectField
        label="Key pair"
        options={[ANY, ...pairs.map(({ pairId }) => ({ value: pairId, text: toPairName(pairId) }))]}
        value={search.pairId}
        onValue={(pair) => change({ pair })}
        testId="filter-pair"
      />
      <TextField
        label="From (UTC)"
        class="filters__date"
        type="datetime-local"
        value={search.from}
        onValue={(from) => change({ from })}
        testId="filter-from"
      />
      <TextField
        label="Before (UTC)"
        class="filters__date"
        type="datetime-local"
        value={search.to}
        onValue={(to) => change({ to })}
        testId="filter-to"
      />
    </>
  );
}

/** Searches for the typed text after a pause in typing. @param q The search text in the URL */
function useSearchText(q: string, go: Go) {
  const text = useSignal(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The browser's Back and Forward buttons change only the URL, so the field is then updated from it. A URL
  // that this search has set may arrive while the user is typing again, so the field then keeps its text.
  const searchedText = useRef(q);
  useLayoutEffect(() => {
    if (q === searchedText.current) return;
    clearTimeout(timer.current);
    searchedText.current = text.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The typed text is applied immediately if another filter changes before the search has started.
  const change: Go = (chosen) => {
    clearTimeout(timer.current);
    searchedText.current = text.value.trim();
    go({ q: searchedText.current, ...chosen });
  };
  const start = (): void => {
    clearTimeout(timer.current);
    if (text.value.trim() !== q) change({});
  };
  // The timer may fire after another render with different filters, so it calls the latest `start`.
  const latestStart = useRef(start);
  latestStart.current = start;
  const type = (typed: string): void => {
    text.value = typed;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestStart.current(), DEBOUNCE_MS);
  };
  return { text: text.value, type, start, change };
}
