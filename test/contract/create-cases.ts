import type { ContractCase } from './case.ts';
import { ACCEPTED_CASES } from './create-accepted-cases.ts';
import { ACCOUNT_CASES } from './create-account-cases.ts';
import { BODY_CASES } from './create-body-cases.ts';
import { URL_CASES } from './create-url-cases.ts';

export const createCases: readonly ContractCase[] = [
  ...ACCEPTED_CASES,
  ...URL_CASES,
  ...BODY_CASES,
  ...ACCOUNT_CASES,
];
