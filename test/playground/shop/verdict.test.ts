import type { ValidationResult } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { toVerdict } from '../../../playground/shop/verdict.ts';
import type { Decision } from '../../../playground/shop/api.ts';

const returned = { sessionId: 's1', status: 'verified', timestamp: 1 } as const;
const answer = (change: Partial<Decision>): Decision => ({
  access: false,
  validation: null,
  problem: null,
  ...change,
});
const validated = (status: 'failed' | 'cancelled' | 'pending') =>
  answer({ validation: { status } as ValidationResult });
const problem = (code: string) => answer({ problem: { code, message: '' } });

describe('the verdict of the return page', () => {
  it.each([
    [null, null, 'nothing'],
    [returned, null, 'asking'],
    [returned, answer({ access: true }), 'open'],
    [returned, validated('failed'), 'failed'],
    [returned, validated('cancelled'), 'cancelled'],
    [returned, validated('pending'), 'asking'],
    [returned, problem('session_expired'), 'expired'],
    [returned, problem('wrong_customer'), 'refused'],
    [{ ...returned, status: 'failed' }, answer({ access: true }), 'open'],
  ] as const)('for the parameters %o and the decision %o is "%s"', (parameters, decision, kind) => {
    expect(toVerdict(parameters, decision, false).kind).toBe(kind);
  });

  it('is "refused" when the server is unreachable', () => {
    expect(toVerdict(returned, null, true).kind).toBe('refused');
  });
});
