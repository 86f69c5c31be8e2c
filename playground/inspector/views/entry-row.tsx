import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { toRoughDuration } from '../../shared/duration.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { KIND_NAMES } from '../entry.ts';
import type { Inspector } from '../inspector.ts';
import type { PlacedEntry } from '../order-entries.ts';
import { EntryDetail } from './entry-detail.tsx';

const REAL_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/**
 * Shows one line of the timeline. Test ids: entry, only-session, since-previous.
 * @param props.sinceMs The time since the previous entry, or null for the first one
 */
export function EntryRow(props: {
  entry: PlacedEntry;
  sinceMs: number | null;
  inspector: Inspector;
}): JSX.Element {
  const { entry, sinceMs, inspector } = props;
  const isOpen = useSignal(false);
  const { id, kind, title, tone, sessionId } = entry;
  return (
    <li
      class={`entry entry--${kind}`}
      data-testid="entry"
      data-kind={kind}
      data-session={sessionId}
    >
      <details data-id={id} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary class="entry__line">
          <span class="entry__kind">{KIND_NAMES[kind]}</span>
          <span class="entry__title">
            {tone === 'good' || tone === 'bad' || tone === 'warn' ? (
              <Chip tone={tone}>{MARKS[tone]}</Chip>
            ) : null}
            {title}
          </span>
          <Times entry={entry} sinceMs={sinceMs} />
        </summary>
        {isOpen.value && (
          <div class="entry__detail">
            <EntryDetail entry={entry} inspector={inspector} />
            <p class="muted">
              {sessionId !== null && (
                <>
                  Session <code>{sessionId}</code> ·{' '}
                </>
              )}
              {REAL_TIME.format(new Date(entry.placedMs))} on this computer’s clock
            </p>
          </div>
        )}
      </details>
      {sessionId !== null && <SessionChip sessionId={sessionId} inspector={inspector} />}
    </li>
  );
}

/** Marks that repeat the tone for users who cannot distinguish the colours. */
const MARKS = { good: '✓', bad: '✕', warn: '!' } as const;

/** Shows the start of the session's id on a button that filters by this session, or removes that filter. */
function SessionChip(props: { sessionId: string; inspector: Inspector }): JSX.Element {
  const { sessionId } = props;
  const filter = props.inspector.sessionId;
  const isOnly = filter.value === sessionId;
  const id = sessionId.slice(0, 8);
  return (
    // The button is beside the summary, because a summary must not contain interactive elements.
    <Button
      variant="bare"
      class="entry__session"
      aria-pressed={isOnly}
      aria-label={`Only session ${id}`}
      title={isOnly ? 'Show all sessions' : 'Show only this session'}
      onPress={() => (filter.value = isOnly ? null : sessionId)}
      testId="only-session"
    >
      {id}
    </Button>
  );
}

function Times(props: { entry: PlacedEntry; sinceMs: number | null }): JSX.Element {
  const { atMs } = props.entry;
  const { sinceMs } = props;
  return (
    <span class="entry__times">
      <time dateTime={new Date(atMs).toISOString()} title="By the service's clock, UTC">
        {toTime(atMs)}
      </time>
      <span class="muted" data-testid="since-previous">
        {sinceMs !== null && `+${toRoughDuration(sinceMs)}`}
      </span>
    </span>
  );
}

function toTime(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  const today = new Date().toISOString().slice(0, 10);
  return iso.startsWith(today) ? iso.slice(11, 23) : `${iso.slice(5, 10)} ${iso.slice(11, 19)}`;
}
