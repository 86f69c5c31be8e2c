import type { Command } from './command.ts';
import { changes } from './commands/changes.ts';
import { clock } from './commands/clock.ts';
import { conform } from './commands/conform.ts';
import { deliveries } from './commands/deliveries.ts';
import { doctor } from './commands/doctor.ts';
import { endpointActions, endpoints } from './commands/endpoints.ts';
import { events } from './commands/events.ts';
import { explain } from './commands/explain.ts';
import { scenarios, settle, trigger } from './commands/scenarios.ts';
import { sessions } from './commands/sessions.ts';
import { snapshot } from './commands/snapshot.ts';

/** All commands except `start`, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  trigger,
  settle,
  clock,
  sessions,
  events,
  deliveries,
  changes,
  endpoints,
  ...endpointActions,
  scenarios,
  explain,
  snapshot,
  doctor,
  conform,
];
