import { createLocalRing } from './local-ring.ts';

/**
 * An entry in the trace of the shop's pages, which the timeline shows. The timeline may be open in
 * another tab, or be opened later. Entries are in localStorage, which every tab of the origin can read and
 * which a page can still write while it unloads.
 */
export interface TraceEntry {
  readonly id: string;
  /** The real time of the entry. ISO 8601. */
  readonly at: string;
  readonly kind: TraceKind;
  /** A single line, for example `verify() resolved: verified`. */
  readonly title: string;
  readonly sessionId: string | null;
  /** The details, as plain JSON. */
  readonly detail: unknown;
}

const KINDS = ['sdk', 'callback', 'message', 'page', 'server'] as const;

/**
 * The source of an entry. `sdk` is a call with its result or error, and `callback` a callback of the SDK.
 * `message` is a window message, accepted or ignored. `page` is a load, a return or an unload of a page, or
 * a change of its visibility. `server` is a response of the shop's server.
 */
export type TraceKind = (typeof KINDS)[number];

const KEPT = 300;
const ring = createLocalRing('ofage-playground:trace:', KEPT, parseEntry);
let count = 0;

export function trace(
  kind: TraceKind,
  title: string,
  detail: unknown = null,
  sessionId: string | null = null,
): void {
  count += 1;
  const id = crypto.randomUUID();
  const at = new Date().toISOString();
  const entry: TraceEntry = { id, at, kind, title, sessionId, detail: toPlain(detail) };
  ring.add(`${at}:${String(count).padStart(6, '0')}:${id}`, entry);
}

/** Returns all entries, oldest first. */
export function readTrace(): readonly TraceEntry[] {
  return ring.read();
}

export function clearTrace(): void {
  ring.clear();
}

/**
 * Calls the listener with each entry that this or another tab adds.
 * @returns a function that removes the listener
 */
export function onTrace(listener: (entry: TraceEntry) => void): () => void {
  return ring.onAdd(listener);
}

/** Converts details to plain JSON. Details may contain a cycle, a bigint or a getter that throws. */
function toPlain(detail: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(detail) ?? 'null') as unknown;
  } catch {
    return String(detail);
  }
}

function parseEntry(value: unknown): TraceEntry | null {
  const { id, at, kind, title, sessionId, detail }: Record<string, unknown> = Object(value);
  const known = KINDS.find((one) => one === kind);
  if (typeof id !== 'string' || typeof at !== 'string' || typeof title !== 'string') return null;
  if (!known || Number.isNaN(Date.parse(at))) return null;
  return {
    id,
    at,
    kind: known,
    title,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    detail: detail ?? null,
  };
}
