import { nearest } from '../../api/nearest.ts';
import type { Check, CheckFacts } from '../check.ts';
import { AUTHENTICATION_CHECKS } from './authentication.ts';
import { CALLBACK_CHECKS } from './callbacks.ts';
import { CREATE_ACCOUNT_CHECKS } from './create-accounts.ts';
import { CREATE_FIELD_CHECKS } from './create-fields.ts';
import { CREATE_URL_CHECKS } from './create-urls.ts';
import { DESTINATION_CHECKS } from './destinations.ts';
import { ENDPOINT_CHECKS } from './endpoints.ts';
import { EVENT_CHECKS } from './events.ts';
import { LIMIT_CHECKS } from './limits.ts';
import { PACING_CHECKS } from './pacing.ts';
import { PAGE_PARAMETER_CHECKS } from './page-parameters.ts';
import { PAUSE_CHECKS } from './pauses.ts';
import { REDELIVERY_CHECKS } from './redelivery.ts';
import { BODY_CHECKS } from './request-bodies.ts';
import { RESULT_CHECKS } from './results.ts';
import { RETRY_CHECKS } from './retries.ts';
import { ROUTE_CHECKS } from './routes.ts';
import { SESSION_CHECKS } from './sessions.ts';
import { SIGNATURE_CHECKS } from './signatures.ts';
import { SUBSCRIPTION_CHECKS } from './subscriptions.ts';
import { VALIDATE_CHECKS } from './validate.ts';

/** All checks, with the functions that run them. */
export const RUNNABLE_CHECKS: readonly Check[] = [
  ...CREATE_ACCOUNT_CHECKS,
  ...CREATE_FIELD_CHECKS,
  ...CREATE_URL_CHECKS,
  ...BODY_CHECKS,
  ...VALIDATE_CHECKS,
  ...AUTHENTICATION_CHECKS,
  ...ROUTE_CHECKS,
  ...SESSION_CHECKS,
  ...RESULT_CHECKS,
  ...PAGE_PARAMETER_CHECKS,
  ...CALLBACK_CHECKS,
  ...LIMIT_CHECKS,
  ...EVENT_CHECKS,
  ...SUBSCRIPTION_CHECKS,
  ...SIGNATURE_CHECKS,
  ...RETRY_CHECKS,
  ...PACING_CHECKS,
  ...PAUSE_CHECKS,
  ...REDELIVERY_CHECKS,
  ...ENDPOINT_CHECKS,
  ...DESTINATION_CHECKS,
];

/** All checks, in groups. Their ids are unique. */
export const CHECKS: readonly CheckFacts[] = RUNNABLE_CHECKS;

/** @throws {RangeError} if no check has this id */
export function findCheck(id: string): Check {
  const check = RUNNABLE_CHECKS.find((one) => one.id === id);
  if (!check) throw new RangeError(describeUnknown(id));
  return check;
}

/** Returns a sentence about a name that neither a check nor a group has. */
export function describeUnknown(name: string): string {
  // The groups come first, so that a part of several ids is completed to their group.
  const groups = new Set(CHECKS.flatMap(({ id }) => toGroups(id)));
  const meant = nearest(name, [...groups, ...CHECKS.map(({ id }) => id)]);
  const outerGroups = [...groups].filter((group) => !group.includes('.'));
  const hint =
    meant === undefined ? `the groups are ${outerGroups.join(', ')}` : `did you mean ${meant}?`;
  return `Cannot run the check "${name}": no check has this id; ${hint}`;
}

/** Returns the groups of an id: `a` and `a.b` for `a.b.c`. */
function toGroups(id: string): string[] {
  const parts = id.split('.');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
}
