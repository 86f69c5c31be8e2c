import {
  type OfAgeError,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookProblem,
  createWebhookHandler,
} from 'ofage/server';
import { eventBody } from './builders.ts';
import { SECRET, type Signed, toRequest } from './signed-request.ts';

/** Creates a handler that records its events, keys and problems. */
export function setUp(options: Partial<WebhookHandlerOptions> = {}) {
  const events: WebhookEvent[] = [];
  const keys: string[] = [];
  const problems: WebhookProblem[] = [];
  const webhooks = createWebhookHandler({
    secret: SECRET,
    onEvent(event, { key }) {
      events.push(event);
      keys.push(key);
    },
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const send = (request: Signed) => webhooks(toRequest(request));
  const codes = () => problems.map(({ error }) => (error as OfAgeError).code);
  return { webhooks, events, keys, problems, codes, send };
}

export const STARTED = JSON.stringify({
  ...eventBody({ event: 'session.started', eventId: undefined }, { verified: undefined }),
});
