import type { Attack } from './attack.ts';
import {
  forgedMessage,
  forgedReturn,
  secondValidate,
  sessionToken,
  wrongCustomer,
  wrongTenant,
} from './session-attacks.ts';
import { replayedWebhook, tamperedWebhook } from './webhook-attacks.ts';

/** Every attack of the lab. Each runs over HTTP against the demo shop and the careless one. */
export const ATTACKS: readonly Attack[] = [
  forgedReturn,
  forgedMessage,
  replayedWebhook,
  tamperedWebhook,
  secondValidate,
  sessionToken,
  wrongTenant,
  wrongCustomer,
];
