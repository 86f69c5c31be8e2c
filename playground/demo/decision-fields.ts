import { appendQuery } from '../shared/append-query.ts';
import type { Decision } from '../shop/api.ts';

/** The state of the server's decision, for developers. */
export interface DecisionState {
  readonly text: 'asking' | 'pending' | 'no answer' | 'validated' | 'refused';
  readonly tone: 'neutral' | 'good' | 'bad';
}

export function toDecisionState(answer: Decision | null, isInTrouble: boolean): DecisionState {
  if (isInTrouble) return { text: 'no answer', tone: 'bad' };
  if (!answer) return { text: 'asking', tone: 'neutral' };
  if (answer.validation?.status === 'pending') return { text: 'pending', tone: 'neutral' };
  if (answer.access) return { text: 'validated', tone: 'good' };
  // There is no access. If there is a validation, the check did not end as verified. Otherwise the server
  // refused the session.
  return { text: answer.validation ? 'validated' : 'refused', tone: 'bad' };
}

/** The fields that decide, which are shown above the others. */
export const MAIN_FIELDS: readonly string[] = ['status', 'sessionId', 'accessGranted'];

/** Returns the fields that have a value, those of `MAIN_FIELDS` first. */
export function sortFields(fields: object): [name: string, value: unknown][] {
  const rank = (name: string): number =>
    MAIN_FIELDS.includes(name) ? MAIN_FIELDS.indexOf(name) : MAIN_FIELDS.length;
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => rank(one) - rank(other));
}

/**
 * Returns the address with another status, as a cheating shopper would type it, to show that it makes no
 * difference.
 */
export function toForgery(href: string, status: string): { href: string; status: string } {
  const forged = status === 'verified' ? 'failed' : 'verified';
  const [base = '', query = ''] = href.replace(/#.*/, '').split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => !pair.startsWith('status=') && pair !== '');
  const kept = others.length > 0 ? `${base}?${others.join('&')}` : base;
  return { href: appendQuery(kept, { status: forged }), status: forged };
}
