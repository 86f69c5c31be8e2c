/** Services that break one rule each. They were written from the specification alone. */
import { ACCESS } from './access.ts';
import { ATTEMPTS } from './attempts.ts';
import type { BrokenService } from './broken-service.ts';
import { CREATING } from './create.ts';
import { DASHBOARD } from './dashboard.ts';
import { ENDPOINTS } from './endpoints.ts';
import { PAYLOADS } from './payloads.ts';
import { SENDING } from './sending.ts';
import { VALIDATING } from './validate.ts';

export { breakService, type BrokenService, type World } from './broken-service.ts';

export const BROKEN_SERVICES: readonly BrokenService[] = [
  ...ACCESS,
  ...CREATING,
  ...VALIDATING,
  ...PAYLOADS,
  ...ATTEMPTS,
  ...ENDPOINTS,
  ...SENDING,
  ...DASHBOARD,
];
