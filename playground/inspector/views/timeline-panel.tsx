import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import type { Inspector } from '../inspector.ts';
import type { PlacedEntry } from '../order-entries.ts';
import { EntryRow } from './entry-row.tsx';
import { Filters } from './filters.tsx';

/** The number of rows at first, and the number added by each press of Show older. */
const ROWS = 200;
/** The time between two announcements of new entries to screen readers. */
const ANNOUNCE_MS = 4_000;

/** Shows the timeline. Test ids: timeline, entry, pause, order, clear, show-older, count, speak, said. */
export function TimelinePanel({ inspector }: { inspector: Inspector }): JSX.Element {
  return (
    <Panel title="Timeline" testId="timeline" actions={<Actions inspector={inspector} />}>
      <Filters inspector={inspector}>
        <Summary inspector={inspector} />
      </Filters>
      {inspector.shown.value.length === 0 ? (
        <EmptyState
          title={
            inspector.entries.value.length === 0
              ? 'No entries yet. Verify your age in the shop in another tab to see them here.'
              : 'No entries match the filters.'
          }
        />
      ) : (
        <Entries inspector={inspector} />
      )}
    </Panel>
  );
}

function Actions({ inspector }: { inspector: Inspector }): JSX.Element {
  const { waiting, isPaused, isNewestFirst } = inspector;
  return (
    <>
      <Button
        small
        aria-pressed={isPaused.value}
        onPress={() => (isPaused.value = !isPaused.value)}
        testId="pause"
      >
        {isPaused.value ? `Resume${waiting.value > 0 ? ` (${waiting.value} new)` : ''}` : 'Pause'}
      </Button>
      <Button
        small
        aria-pressed={isNewestFirst.value}
        onPress={() => (isNewestFirst.value = !isNewestFirst.value)}
        testId="order"
      >
        Newest first
      </Button>
      <Button small onPress={() => inspector.clear()} testId="clear">
        Clear
      </Button>
    </>
  );
}

function Entries({ inspector }: { inspector: Inspector }): JSX.Element {
  const { shown, isNewestFirst } = inspector;
  const rows = useSignal(ROWS);
  // The newest entries stay in view in both orders. The older ones are added on request.
  const older = Math.max(0, shown.value.length - rows.value);
  const newest = shown.value.slice(older).map((entry, index) => ({
    entry,
    sinceMs: toSince(entry, shown.value[older + index - 1]),
  }));
  const listed = isNewestFirst.value ? newest.toReversed() : newest;
  const more = older > 0 && (
    <Button small class="entries__more" onPress={() => (rows.value += ROWS)} testId="show-older">
      Show {Math.min(ROWS, older)} older ({older} more)
    </Button>
  );
  return (
    // The region can have the focus, so that the arrow keys scroll it.
    <div class="entries-frame" role="region" aria-label="Entries" tabIndex={0}>
      {!isNewestFirst.value && more}
      <ol class="entries">
        {listed.map(({ entry, sinceMs }) => (
          <EntryRow key={entry.id} entry={entry} sinceMs={sinceMs} inspector={inspector} />
        ))}
      </ol>
      {isNewestFirst.value && more}
    </div>
  );
}

function toSince(entry: PlacedEntry, previous: PlacedEntry | undefined): number | null {
  return previous ? Math.max(0, entry.atMs - previous.atMs) : null;
}

/**
 * Shows the number of entries. New entries are announced to screen readers only on request and in one
 * sentence, because a busy timeline would drown out everything else.
 */
function Summary({ inspector }: { inspector: Inspector }): JSX.Element {
  const { shown, entries } = inspector;
  const isAnnouncing = useSignal(false);
  const announcement = useSignal('');
  const known = useRef(0);
  useEffect(() => {
    if (!isAnnouncing.value) {
      announcement.value = '';
      return undefined;
    }
    known.current = shown.peek().length;
    const timer = setInterval(() => {
      const { length } = shown.peek();
      const added = length - known.current;
      known.current = length;
      if (added <= 0) return;
      const last = shown.peek().at(-1)?.title ?? '';
      announcement.value = `${added} new ${added === 1 ? 'entry' : 'entries'}, the last one: ${last}`;
    }, ANNOUNCE_MS);
    return () => clearInterval(timer);
  }, [isAnnouncing.value, shown, announcement]);
  return (
    <div class="row">
      <span class="muted" data-testid="count">
        {shown.value.length === entries.value.length
          ? toEntryCount(entries.value.length)
          : `${shown.value.length.toLocaleString('en')} of ${toEntryCount(entries.value.length)}`}
      </span>
      <CheckField label="Announce new entries" bind={isAnnouncing} testId="speak" />
      <span class="visually-hidden" role="status" data-testid="said">
        {announcement.value}
      </span>
    </div>
  );
}

function toEntryCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`;
}
