import { type ControlClient, ControlError } from '../../api/client.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventFilter, EventResource } from '../../api/deliveries.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import { ANY_TENANT, findTenantId } from '../accounts.ts';
import { choiceOf, type Command, requireArguments, textOf } from '../command.ts';
import { LIMIT, limitOf, listNewest, readPages } from '../paging.ts';
import type { Column, Printer } from '../printer.ts';
import { LABELS } from '../../words/states.ts';
import { formatTimeInUtc } from '../../words/times.ts';

export const events: Command = {
  name: 'events',
  takes: '',
  summary: 'list events, oldest first, or follow new ones',
  action: 'list events',
  options: {
    kind: { type: 'string', value: 'EVENT', text: 'such as verification.completed' },
    session: { type: 'string', value: 'ID', text: 'only this session' },
    tenant: ANY_TENANT,
    limit: LIMIT,
    follow: { type: 'boolean', short: 'f', text: 'continue with new events until Ctrl-C' },
  },
  read(words, values) {
    requireArguments('events', [], words);
    const kind = choiceOf(values, 'kind', EVENT_KINDS);
    const limit = limitOf(values);
    const isWanted = kind && (({ event }: EventResource): boolean => event === kind);
    return async (mock, print) => {
      const tenantId = await findTenantId(mock, textOf(values, 'tenant'));
      const filter = { sessionId: textOf(values, 'session'), tenantId };
      // Must run before the list is fetched. An event that arrives in between is then fetched twice and
      // printed once, instead of being missed.
      const last = values['follow'] === true ? await findLast(mock, filter) : undefined;
      const list = mock.pages.events;
      const known = await listNewest({ list, filter, limit, order: 'oldest first', isWanted });
      print.list(known, COLUMNS, 'No events');
      if (values['follow'] !== true) return;
      const seen = new Set(known.map(toKey));
      for await (const added of follow(mock, filter, last, print)) {
        const fresh = added.filter(
          (event) => !seen.has(toKey(event)) && (isWanted?.(event) ?? true),
        );
        print.more(fresh, COLUMNS);
      }
    };
  },
};

/** Identifies an event. A mock that starts again with its seed draws the same ids for other events. */
function toKey({ id, createdAt }: EventResource): string {
  return `${id} ${createdAt}`;
}

const POLL_MS = 500;
/** Maximum number of events of one request. Another page is fetched only if all events of a page are new. */
const PAGE_SIZE = 100;

/** Columns as wide as their values, so that rows added later are aligned. */
const COLUMNS: readonly Column<EventResource>[] = [
  {
    title: `${LABELS.created} (UTC)`.padEnd(19),
    of: ({ createdAt }) => formatTimeInUtc(createdAt),
  },
  { title: 'EVENT'.padEnd(22), of: ({ event }) => event },
  { title: 'SESSION'.padEnd(36), of: ({ sessionId }) => sessionId },
  { title: 'ID', of: ({ id }) => id },
];

async function findLast(mock: ControlClient, filter: EventFilter): Promise<string | undefined> {
  const [last] = await mock.events({ ...filter, limit: 1 });
  return last && toKey(last);
}

/**
 * Polls for new events and yields them until the process ends. While the mock is away, for example because it
 * is started again, waits for it. The mock's stream would be faster, but it covers only one server, and
 * several may share a database.
 */
async function* follow(
  mock: ControlClient,
  filter: EventFilter,
  afterKey: string | undefined,
  print: Printer,
): AsyncGenerator<EventResource[]> {
  let lastKey = afterKey;
  let isAway = false;
  for (;;) {
    await sleep(POLL_MS);
    const added = await listSince(mock, filter, lastKey).catch(passUnlessAway);
    if (added === null && !isAway)
      print.note('ofage-mock: The mock does not respond. Waiting for it.');
    if (added !== null && isAway) print.note('ofage-mock: The mock responds again.');
    isAway = added === null;
    const newest = added?.at(-1);
    if (newest) lastKey = toKey(newest);
    yield added ?? [];
  }
}

/** Returns null for the error of a mock that does not run or that is starting. */
function passUnlessAway(error: unknown): null {
  const isAway =
    error instanceof ControlError && (error.code === 'unreachable' || error.status === 503);
  if (isAway) return null;
  throw error;
}

/**
 * Lists the events after a given one, or all events if the mock does not know that one, for example after a
 * reset.
 */
async function listSince(
  mock: ControlClient,
  filter: EventFilter,
  lastKey: string | undefined,
): Promise<EventResource[]> {
  let added: EventResource[] = [];
  for await (const page of readPages(mock.pages.events, { ...filter, limit: PAGE_SIZE })) {
    const at = page.findIndex((event) => toKey(event) === lastKey);
    added = [...page.slice(at + 1), ...added];
    if (at >= 0) break;
  }
  return added;
}
