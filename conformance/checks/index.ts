import type { Check } from '../check.ts';
import { CREATE_FIELD_CHECKS } from './create-fields.ts';

/** All checks. Their ids are unique. */
export const CHECKS: readonly Check[] = [...CREATE_FIELD_CHECKS];
