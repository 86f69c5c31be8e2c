import type { DeliveryResource, EventResource, RequestResource } from 'ofage/mock';

export type TimelineEntry = { readonly at: string } & (
  | { readonly kind: 'request'; readonly item: RequestResource }
  | { readonly kind: 'event'; readonly item: EventResource }
  | { readonly kind: 'delivery'; readonly item: DeliveryResource }
);

/**
 * Merges the requests, events and deliveries of a session into one list, oldest first. Entries of the same
 * instant have the order of cause and effect: a request causes an event, which causes its deliveries.
 */
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
  const eventNos = new Map(parts.events.map(({ id }, index) => [id, index]));
  const rank = (entry: TimelineEntry): number => {
    if (entry.kind === 'request') return -1;
    if (entry.kind === 'event') return eventNos.get(entry.item.id) ?? 0;
    return (eventNos.get(entry.item.eventId) ?? 0) + 0.5;
  };
  return entries.sort((a, b) => a.at.localeCompare(b.at) || rank(a) - rank(b));
}
