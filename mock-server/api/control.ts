import { accountRoutes, type AccountControl } from './accounts.ts';
import { doctorRoutes, type Doctor } from './doctor.ts';
import { endpointRoutes, type EndpointControl } from './endpoints.ts';
import { keyRoutes, type KeyControl } from './keys.ts';
import type { RoutesOf } from './route.ts';
import { sessionRoutes, type SessionControl } from './sessions.ts';
import { stateRoutes, type StateControl } from './state.ts';
import { steeringRoutes, type Steering } from './steering.ts';
import { webhookRoutes, type WebhookControl } from './webhooks.ts';

/**
 * The control API, for the dashboard, tests and tools. Methods reject with an error whose message explains
 * the problem, such as an invalid field or an unknown id.
 */
export interface Control
  extends
    StateControl,
    AccountControl,
    KeyControl,
    EndpointControl,
    WebhookControl,
    SessionControl,
    Steering,
    Doctor {}

export const CONTROL_ROUTES = {
  ...stateRoutes,
  ...accountRoutes,
  ...keyRoutes,
  ...endpointRoutes,
  ...webhookRoutes,
  ...sessionRoutes,
  ...steeringRoutes,
  ...doctorRoutes,
} as const satisfies RoutesOf<Control>;
