import type { ContractCase } from './case.ts';
import { REFUSAL_CASES } from './validate-refusal-cases.ts';
import { RESULT_CASES } from './validate-result-cases.ts';

export const validateCases: readonly ContractCase[] = [...RESULT_CASES, ...REFUSAL_CASES];
