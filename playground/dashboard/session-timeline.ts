import type { DeliveryResource, EventResource, RequestResource } from 'ofage/mock';

/** An entry of a session's timeline. */
export type TimelineEntry = { readonly at: string } & (
  | { readonly kind: 'request'; readonly item: RequestResource }
  | { readonly kind: 'event'; readonly item: EventResource }
  | { readonly kind: 'delivery'; readonly item: DeliveryResource }
);

/** The kinds in the order of cause and effect: a request causes an event, which causes deliveries. */
const KINDS: readonly TimelineEntry['kind'][] = ['request', 'event', 'delivery'];

/** Puts everything that happened in a session in one order, the oldest first. */
export function toTimeline(parts: {
  readonly requests: readonly RequestResource[];
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
}): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...parts.requests.map((item) => ({ kind: 'request' as const, at: item.at, item })),
    ...parts.events.map((item) => ({ kind: 'event' as const, at: item.createdAt, item })),
    ...parts.deliveries.map((item) => ({ kind: 'delivery' as const, at: item.createdAt, item })),
  ];
  return entries.sort(
    (a, b) => a.at.localeCompare(b.at) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
  );
}
