import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Field, Panel } from '../../shared/console/parts.tsx';
import { ENTRY_KINDS, KIND_NAMES, type EntryKind } from '../entry.ts';
import type { Inspector } from '../inspector.ts';
import { EntryRow } from './entry-row.tsx';

/** How many rows are drawn at first, and how many more each time somebody asks. */
const ROWS = 200;
/** How often listeners are told, in one sentence, of what came. */
const TELL_MS = 4_000;

/** For tests: timeline, entry, pause, order, clear, filter-session, filter-text, kind-…, show-older, count. */
export function TimelinePanel({ inspector }: { inspector: Inspector }): JSX.Element {
  const { shown, entries, waiting, isPaused, isNewestFirst } = inspector;
  const rows = useSignal(ROWS);
  // What is newest stays in view either way: the rest is what there is more of.
  const newest = shown.value.slice(-rows.value);
  const listed = isNewestFirst.value ? newest.toReversed() : newest;
  const older = shown.value.length - newest.length;
  const more = older > 0 && (
    <button
      type="button"
      class="button button--small entries__more"
      data-testid="show-older"
      onClick={() => (rows.value += ROWS)}
    >
      Show {Math.min(ROWS, older)} older ({older} more)
    </button>
  );
  return (
    <Panel
      title="Timeline"
      testId="timeline"
      actions={
        <>
          <button
            type="button"
            class="button button--small"
            data-testid="pause"
            aria-pressed={isPaused.value}
            onClick={() => (isPaused.value = !isPaused.value)}
          >
            {isPaused.value
              ? `Resume${waiting.value > 0 ? ` (${waiting.value} new)` : ''}`
              : 'Pause'}
          </button>
          <button
            type="button"
            class="button button--small"
            data-testid="order"
            aria-pressed={isNewestFirst.value}
            onClick={() => (isNewestFirst.value = !isNewestFirst.value)}
          >
            Newest first
          </button>
          <button
            type="button"
            class="button button--small"
            data-testid="clear"
            onClick={() => inspector.clear()}
          >
            Clear
          </button>
        </>
      }
    >
      <Filters inspector={inspector} />
      <Summary inspector={inspector} />
      {listed.length === 0 ? (
        <p class="empty">
          {entries.value.length === 0
            ? 'Nothing yet. Open the shop in another tab and verify; it shows here at once.'
            : 'Nothing that fits the filters.'}
        </p>
      ) : (
        // In the tab order, because it scrolls.
        <div class="entries-frame" role="region" aria-label="Entries" tabIndex={0}>
          {!isNewestFirst.value && more}
          <ol class="entries">
            {listed.map((entry) => (
              <EntryRow key={entry.id} entry={entry} inspector={inspector} />
            ))}
          </ol>
          {isNewestFirst.value && more}
        </div>
      )}
    </Panel>
  );
}

function Filters({ inspector }: { inspector: Inspector }): JSX.Element {
  const { kinds, sessionId, text, sessions } = inspector;
  const toggle = (kind: EntryKind): void => {
    const next = new Set(kinds.value);
    if (!next.delete(kind)) next.add(kind);
    kinds.value = next;
  };
  const isAll = kinds.value.size === ENTRY_KINDS.length;
  return (
    <>
      <fieldset class="kinds">
        <legend class="visually-hidden">Kinds of entries</legend>
        <button
          type="button"
          class="button button--small"
          data-testid="kind-all"
          onClick={() => (kinds.value = new Set(isAll ? [] : ENTRY_KINDS))}
        >
          {isAll ? 'None' : 'All'}
        </button>
        {ENTRY_KINDS.map((kind) => (
          <label key={kind} class={`kind kind--${kind}`}>
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
      <div class="filters">
        <Field label="Session">
          {(ids) => (
            <select
              {...ids}
              class="input"
              data-testid="filter-session"
              value={sessionId.value ?? ''}
              onChange={({ currentTarget: { value } }) => (sessionId.value = value || null)}
            >
              <option value="">Every session</option>
              {sessions.value.slice(0, ROWS).map(({ id, status, externalUserId }) => (
                <option key={id} value={id}>
                  {id.slice(0, 8)} · {status}
                  {externalUserId ? ` · ${externalUserId}` : ''}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Text">
          {(ids) => (
            <input
              {...ids}
              class="input"
              type="search"
              placeholder="in title or detail"
              data-testid="filter-text"
              value={text.value}
              onInput={({ currentTarget }) => (text.value = currentTarget.value)}
            />
          )}
        </Field>
      </div>
    </>
  );
}

/** A timeline that speaks would drown everything else, so it does only when asked, and briefly. */
function Summary({ inspector }: { inspector: Inspector }): JSX.Element {
  const { shown, entries } = inspector;
  const isSpeaking = useSignal(false);
  const said = useSignal('');
  const known = useRef(0);
  useEffect(() => {
    if (!isSpeaking.value) {
      said.value = '';
      return undefined;
    }
    known.current = shown.peek().length;
    const telling = setInterval(() => {
      const { length } = shown.peek();
      const fresh = length - known.current;
      known.current = length;
      if (fresh <= 0) return;
      const last = shown.peek().at(-1)?.title ?? '';
      said.value = `${fresh} new ${fresh === 1 ? 'entry' : 'entries'}, the last: ${last}`;
    }, TELL_MS);
    return () => clearInterval(telling);
  }, [isSpeaking.value, shown, said]);
  return (
    <div class="row summary">
      <span class="muted" data-testid="count">
        {shown.value.length === entries.value.length
          ? `${entries.value.length} entries`
          : `${shown.value.length} of ${entries.value.length} entries`}
      </span>
      <label class="check">
        <input
          type="checkbox"
          data-testid="speak"
          checked={isSpeaking.value}
          onChange={({ currentTarget }) => (isSpeaking.value = currentTarget.checked)}
        />
        Announce new entries
      </label>
      <span class="visually-hidden" role="status" data-testid="said">
        {said.value}
      </span>
    </div>
  );
}
