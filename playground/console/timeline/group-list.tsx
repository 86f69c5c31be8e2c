import type { ReportResource, SessionResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from '../../shared/kit/button.tsx';
import { toShortId } from '../../shared/short-id.ts';
import type { Context } from '../context.ts';
import { Drawing } from '../drawing/drawing.tsx';
import { type Stored, toMessages } from '../drawing/messages.ts';
import { StatusBadge } from '../parts.tsx';
import type { Entry } from './entry.ts';
import { type ListProps, toRows } from './entry-row.tsx';
import { type VerificationGroup, type Block, findPageUrl } from './group-entries.ts';
import { useKeptRow } from './kept-row.ts';

interface GroupListProps extends Pick<ListProps, 'eventOf'> {
  context: Context;
  /** The blocks, oldest first. */
  blocks: readonly Block[];
  /** All entries, also those that the filters hide. */
  all: readonly Entry[];
  isNewestFirst: boolean;
  sessions: readonly SessionResource[];
  only: NonNullable<ListProps['only']>;
}

/** Shows entries by verification, so that the id of a session is not repeated in each row. */
export function GroupList(props: GroupListProps): JSX.Element {
  const { context, blocks, isNewestFirst, sessions, eventOf } = props;
  const list = useRef<HTMLOListElement>(null);
  useKeptRow(list);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const shown = isNewestFirst ? blocks.toReversed() : blocks;
  return (
    <ol class="entries" ref={list}>
      {shown.flatMap((block, at) => {
        const { id, kind, entries } = block;
        const before = shown[at - 1]?.entries;
        const above = isNewestFirst ? before?.[0] : before?.at(-1);
        const rows = toRows({ entries, above, isNewestFirst, eventOf, href: context.href });
        if (kind === 'single') return rows;
        const session = block.sessionId === null ? undefined : byId.get(block.sessionId);
        return (
          <Group key={id} {...props} group={block} session={session}>
            {rows}
          </Group>
        );
      })}
    </ol>
  );
}

/** Shows the entries of one verification under a heading. */
function Group(
  props: GroupListProps & {
    group: VerificationGroup;
    session: SessionResource | undefined;
    children: JSX.Element[];
  },
): JSX.Element {
  const { context, all, group, session, only, children } = props;
  const { nowMs } = context;
  const { id, sessionId, entries } = group;
  const headingId = useId();
  const pageUrl = findPageUrl(entries);
  return (
    <li class="group" data-testid="group" data-session={sessionId}>
      <div class="group__head">
        <h3 id={headingId}>
          {sessionId === null ? (
            'Verification without a session'
          ) : (
            <a href={context.href({ page: 'sessions', id: sessionId })}>
              Session {toShortId(sessionId)}
            </a>
          )}
        </h3>
        {session && <StatusBadge status={session.status} />}
        {pageUrl !== null && <span class="group__page muted">{toPlace(pageUrl)}</span>}
        {sessionId !== null && only.sessionId === null && (
          <Button
            small
            aria-describedby={headingId}
            onPress={({ currentTarget }) => {
              // The button disappears, and its heading stays.
              currentTarget.closest('li')?.querySelector('a')?.focus();
              only.choose(sessionId);
            }}
            testId="only-session"
          >
            Only this session
          </Button>
        )}
      </div>
      {sessionId === null && (
        <details class="more">
          <summary>Drawing</summary>
          <Drawing messages={toMessages(toStored(all, id), nowMs.value)} href={context.href} />
        </details>
      )}
      <ol class="entries" aria-labelledby={headingId}>
        {children}
      </ol>
    </li>
  );
}

/** Returns what is known about a `verify()` call without a session: the reports of its page. */
function toStored(all: readonly Entry[], call: string): Stored {
  const reports = all
    .filter((entry) => entry.call === call)
    // Only reports have a call.
    .map(({ detail }) => detail as ReportResource)
    .toReversed();
  return { session: null, requests: [], events: [], deliveries: [], reports };
}

function toPlace(pageUrl: string): string {
  if (!URL.canParse(pageUrl)) return pageUrl;
  const { host, pathname } = new URL(pageUrl);
  return pathname === '/' ? host : host + pathname;
}
