import { API_MUTANTS } from './service-api-mutants.ts';
import { ENDPOINT_MUTANTS } from './service-endpoint-mutants.ts';
import type { ServiceMutant } from './service-mutant.ts';
import { RETRY_MUTANTS } from './service-retry-mutants.ts';
import { SESSION_MUTANTS } from './service-session-mutants.ts';

export const SERVICE_MUTANTS: readonly ServiceMutant[] = [
  ...API_MUTANTS,
  ...SESSION_MUTANTS,
  ...RETRY_MUTANTS,
  ...ENDPOINT_MUTANTS,
];
