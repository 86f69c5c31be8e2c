/** More services that break one rule each. They were written from the specification alone. */
import type { BrokenService } from '../broken-services/broken-service.ts';
import { CREATING } from './create.ts';
import { DASHBOARD } from './dashboard.ts';
import { SENDING } from './send.ts';
import { VALIDATING } from './validate.ts';

export const BROKEN_SERVICES_2: readonly BrokenService[] = [
  ...CREATING,
  ...VALIDATING,
  ...SENDING,
  ...DASHBOARD,
];
