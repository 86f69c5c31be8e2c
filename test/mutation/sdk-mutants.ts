import type { Mutant } from './mutant.ts';
import { CALL_MUTANTS } from './sdk-call-mutants.ts';
import { FLOW_MUTANTS } from './sdk-flow-mutants.ts';

export const SDK_MUTANTS: readonly Mutant[] = [...FLOW_MUTANTS, ...CALL_MUTANTS];
