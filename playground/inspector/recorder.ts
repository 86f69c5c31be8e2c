import type {
  DeliveryResource,
  EndpointResource,
  FaultResource,
  RequestResource,
} from 'ofage/mock';
import type { Provider } from '../shared/provider.ts';
import { toScenario } from './to-scenario.ts';
import type { Scenario } from './scenario-file.ts';

/** What the service keeps no list of, and what a recording must therefore note as it happens. */
export interface RecordingNotes {
  /** The service's time. */
  readonly startMs: number;
  readonly faults: readonly FaultResource[];
  readonly resumedMs: readonly number[];
  readonly redeliveredMs: readonly number[];
}

export function startNotes(startMs: number): RecordingNotes {
  return { startMs, faults: [], resumedMs: [], redeliveredMs: [] };
}

/** A fault as it was asked for: the later news of it only count down. */
export function noteFault(notes: RecordingNotes, fault: FaultResource): RecordingNotes {
  if (notes.faults.some(({ id }) => id === fault.id)) return notes;
  return { ...notes, faults: [...notes.faults, fault] };
}

/** The end of a pause, which a test event has brought about. */
export function noteEndpoint(
  notes: RecordingNotes,
  before: EndpointResource | undefined,
  after: EndpointResource,
): RecordingNotes {
  const { pausedAt, lastSuccessAt } = after.health;
  if (before?.health.pausedAt == null || pausedAt !== null || lastSuccessAt === null) return notes;
  return { ...notes, resumedMs: [...notes.resumedMs, Date.parse(lastSuccessAt)] };
}

/** Events that were queued again. Those of one press of the button carry the same time. */
export function noteDelivery(
  notes: RecordingNotes,
  before: DeliveryResource | undefined,
  after: DeliveryResource,
): RecordingNotes {
  if (!before || after.redeliveries <= before.redeliveries || after.nextAttemptAt === null) {
    return notes;
  }
  const atMs = Date.parse(after.nextAttemptAt);
  if (notes.redeliveredMs.includes(atMs)) return notes;
  return { ...notes, redeliveredMs: [...notes.redeliveredMs, atMs] };
}

/** Asks the service for the rest, and writes the run down. */
export async function finishRecording(
  provider: Provider,
  notes: RecordingNotes,
  name: string,
  requests: readonly RequestResource[],
): Promise<Scenario> {
  const { client } = provider;
  const endMs = (await client.clock.now()).getTime();
  const most = { limit: 1_000 };
  const [sessions, events, deliveries] = await Promise.all([
    client.sessions(most),
    client.events(most),
    client.deliveries(most),
  ]);
  return toScenario({ ...notes, name, endMs, sessions, events, deliveries, requests });
}

const KEY = 'ofage-playground:recording';

/** Kept for the tab: the way from the inspector to the shop and back is a page load each. */
export function keepNotes(notes: RecordingNotes | null): void {
  if (notes) sessionStorage.setItem(KEY, JSON.stringify(notes));
  else sessionStorage.removeItem(KEY);
}

export function readNotes(): RecordingNotes | null {
  try {
    const notes: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    const { startMs }: { startMs?: unknown } = Object(notes);
    // Our own, of this tab.
    return typeof startMs === 'number' ? (notes as RecordingNotes) : null;
  } catch {
    return null;
  }
}
