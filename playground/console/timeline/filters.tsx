import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../shared/kit/button.tsx';
import { ValueChip } from '../../shared/kit/chip.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { ENTRY_KINDS, KIND_NAMES, type EntryKind } from './entry.ts';
import type { TimelineStore } from './store.ts';

/** The maximum number of sessions to choose from. */
const MAX_SESSIONS = 200;

/**
 * Shows a button that opens the filters. While they are closed, the filters in use are beside it. Test ids:
 * filters, kind-…, filter-session, filter-text.
 */
export function Filters(props: {
  store: TimelineStore;
  /** Shown at the end of the button's line. */
  children: ComponentChildren;
}): JSX.Element {
  const { store, children } = props;
  const isOpen = useSignal(false);
  const id = useId();
  return (
    <>
      <div class="row summary">
        <div class="row">
          <Button
            small
            aria-expanded={isOpen.value}
            aria-controls={id}
            onPress={() => (isOpen.value = !isOpen.value)}
            testId="filters"
          >
            Filters
          </Button>
          {!isOpen.value && <InUse store={store} />}
        </div>
        {children}
      </div>
      <div id={id} class="filters" hidden={!isOpen.value}>
        {isOpen.value && <Fields store={store} />}
      </div>
    </>
  );
}

function InUse({ store }: { store: TimelineStore }): JSX.Element {
  const { kinds, sessionId, text } = store;
  return (
    <>
      {sessionId.value !== null && (
        <ValueChip remove={{ label: 'Show all sessions', onPress: () => (sessionId.value = null) }}>
          Session {sessionId.value.slice(0, 8)}
        </ValueChip>
      )}
      {text.value !== '' && (
        <ValueChip remove={{ label: 'Clear the text', onPress: () => (text.value = '') }}>
          Text: {text.value}
        </ValueChip>
      )}
      {kinds.value.size < ENTRY_KINDS.length && (
        <ValueChip
          remove={{ label: 'Show all kinds', onPress: () => (kinds.value = new Set(ENTRY_KINDS)) }}
        >
          {kinds.value.size} of {ENTRY_KINDS.length} kinds
        </ValueChip>
      )}
    </>
  );
}

function Fields({ store }: { store: TimelineStore }): JSX.Element {
  const { sessionId, text, sessions } = store;
  return (
    <>
      <SelectField
        label="Session"
        options={[
          { value: '', text: 'All sessions' },
          ...sessions.value.slice(0, MAX_SESSIONS).map(({ id, status, externalUserId }) => ({
            value: id,
            text: [id.slice(0, 8), status, ...(externalUserId ? [externalUserId] : [])].join(' · '),
          })),
        ]}
        value={sessionId.value ?? ''}
        onValue={(id) => (sessionId.value = id || null)}
        testId="filter-session"
      />
      <TextField
        label="Text"
        type="search"
        placeholder="In title or detail"
        bind={text}
        testId="filter-text"
      />
      <Kinds store={store} />
    </>
  );
}

function Kinds({ store: { kinds } }: { store: TimelineStore }): JSX.Element {
  const toggle = (kind: EntryKind): void => {
    const next = new Set(kinds.value);
    if (!next.delete(kind)) next.add(kind);
    kinds.value = next;
  };
  const isAll = kinds.value.size === ENTRY_KINDS.length;
  return (
    <fieldset class="kinds">
      <legend class="visually-hidden">Kinds of entries</legend>
      <Button
        small
        onPress={() => (kinds.value = new Set(isAll ? [] : ENTRY_KINDS))}
        testId="kind-all"
      >
        {isAll ? 'None' : 'All'}
      </Button>
      {ENTRY_KINDS.map((kind) => (
        <label key={kind} class={`shows-focus kind kind--${kind}`}>
          <input
            type="checkbox"
            data-testid={`kind-${kind}`}
            checked={kinds.value.has(kind)}
            onChange={() => toggle(kind)}
          />
          <span>{KIND_NAMES[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}
