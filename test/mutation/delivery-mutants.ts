import { EVENT_MUTANTS } from './delivery-event-mutants.ts';
import { PACING_MUTANTS } from './delivery-pacing-mutants.ts';
import type { Mutant } from './mutant.ts';

export const DELIVERY_MUTANTS: readonly Mutant[] = [...PACING_MUTANTS, ...EVENT_MUTANTS];
