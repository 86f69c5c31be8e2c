import type { ContractCase } from './case.ts';
import { DEVICE_CASES } from './hosted-device-cases.ts';
import { IMAGE_CASES } from './hosted-image-cases.ts';
import { OUTCOME_CASES } from './hosted-outcome-cases.ts';

export const hostedCases: readonly ContractCase[] = [
  ...DEVICE_CASES,
  ...IMAGE_CASES,
  ...OUTCOME_CASES,
];
