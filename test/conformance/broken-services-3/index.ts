/** A third list of services that break one rule each, also written from the specification alone. */
import type { BrokenService } from '../broken-services/broken-service.ts';
import { ACCESS } from './access.ts';
import { CREATING } from './create.ts';
import { SENDING } from './send.ts';
import { VALIDATING } from './validate.ts';

export const BROKEN_SERVICES_3: readonly BrokenService[] = [
  ...CREATING,
  ...ACCESS,
  ...VALIDATING,
  ...SENDING,
];
