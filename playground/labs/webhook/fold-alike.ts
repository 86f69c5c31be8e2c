import type { KeptWebhook } from '../../demo-backend/lab-plan.ts';

type Likeness = Pick<
  KeptWebhook,
  'event' | 'eventId' | 'sessionId' | 'signature' | 'work' | 'answer'
>;

/** Groups consecutive requests that differ only in their time, such as the retries of one event. */
export function foldAlike<Request extends Likeness>(
  requests: readonly Request[],
): readonly (readonly [Request, ...Request[]])[] {
  const groups: [Request, ...Request[]][] = [];
  for (const request of requests) {
    const group = groups.at(-1);
    if (group && likenessOf(group[0]) === likenessOf(request)) group.push(request);
    else groups.push([request]);
  }
  return groups;
}

const likenessOf = ({ event, eventId, sessionId, signature, work, answer }: Likeness): string =>
  JSON.stringify([event, eventId, sessionId, signature, work, answer]);
