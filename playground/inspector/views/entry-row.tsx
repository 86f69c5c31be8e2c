import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { KIND_NAMES } from '../entry.ts';
import type { Inspector } from '../inspector.ts';
import type { PlacedEntry } from '../order-entries.ts';
import { EntryDetail } from './entry-detail.tsx';

/** The difference between the two clocks below which only one time is shown. */
const SAME_MS = 2_000;

const REAL_TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export function EntryRow(props: { entry: PlacedEntry; inspector: Inspector }): JSX.Element {
  const { entry, inspector } = props;
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
          <Times entry={entry} />
        </summary>
        {isOpen.value && (
          <div class="entry__detail">
            <EntryDetail entry={entry} inspector={inspector} />
            {sessionId !== null && inspector.sessionId.value !== sessionId && (
              <div class="row">
                <Button
                  small
                  onPress={() => (inspector.sessionId.value = sessionId)}
                  testId="only-session"
                >
                  Only this session
                </Button>
                <code class="muted">{sessionId}</code>
              </div>
            )}
          </div>
        )}
      </details>
    </li>
  );
}

/** Marks that repeat the tone for users who cannot distinguish the colours. */
const MARKS = { good: '✓', bad: '✕', warn: '!' } as const;

function Times({ entry }: { entry: PlacedEntry }): JSX.Element {
  const { virtualMs, realMs, receivedMs, placedMs } = entry;
  const real = new Date(placedMs);
  const isKnown = realMs !== null || receivedMs !== null;
  const isSame = virtualMs !== null && Math.abs(virtualMs - placedMs) < SAME_MS;
  return (
    <span class="entry__times">
      {virtualMs !== null && (
        <time dateTime={new Date(virtualMs).toISOString()} title="By the service's clock, UTC">
          {toTime(virtualMs)}
        </time>
      )}
      {!isSame && isKnown && (
        <time class="muted" dateTime={real.toISOString()} title="By this computer's clock">
          {virtualMs === null ? 'page' : 'real'} {REAL_TIME.format(real)}
        </time>
      )}
    </span>
  );
}

function toTime(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  const today = new Date().toISOString().slice(0, 10);
  return iso.startsWith(today) ? iso.slice(11, 23) : `${iso.slice(5, 10)} ${iso.slice(11, 19)}`;
}
