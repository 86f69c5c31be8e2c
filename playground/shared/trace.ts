import { createLocalRing } from './local-ring.ts';

/**
 * What the shop's pages saw and did, kept for the inspector: it may be open in another tab, or opened
 * later. localStorage reaches every tab of the shop's origin, also when the page is about to leave.
 */
export interface TraceEntry {
  readonly id: string;
  /** Real time. ISO 8601. */
  readonly at: string;
  readonly kind: TraceKind;
  /** One line, for example `verify() resolved: verified`. */
  readonly title: string;
  readonly sessionId: string | null;
  /** Plain JSON, as the page had it. */
  readonly detail: unknown;
}

const KINDS = ['sdk', 'callback', 'message', 'page', 'server'] as const;

/**
 * `sdk`: a call, its result or its error. `message`: a window message, taken or not. `page`: the page
 * came, or came back. `server`: what the shop's server answered.
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

/** Oldest first. */
export function readTrace(): readonly TraceEntry[] {
  return ring.read();
}

export function clearTrace(): void {
  ring.clear();
}

/** Hears of new entries, from this tab and all others. @returns how to stop */
export function onTrace(hear: (entry: TraceEntry) => void): () => void {
  return ring.onAdd(hear);
}

/** What a message carries need not be JSON: a cycle, a bigint, something that throws when it is read. */
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
