import type { ValidationResult } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { RETRYABLE, SENTENCES } from '../../../src/error-codes.ts';
import { type Hint, toNextStep } from '../../../playground/shop/next-step.ts';
import type { AccessState, Decision } from '../../../playground/shop/api.ts';

const anAccess = (change: Partial<AccessState> = {}): AccessState => ({
  customerId: 'customer-1',
  access: false,
  since: null,
  by: null,
  latestSessionId: null,
  webhooks: [],
  ...change,
});

const aWebhook = (event: string, sessionId = 's1', receivedAt = '2026-01-01T00:00:00.000Z') => ({
  eventId: null,
  event,
  sessionId,
  happenedAt: receivedAt,
  receivedAt,
  duplicate: false,
});

const aHint = (status: Hint['status'], change: Partial<Hint> = {}): Hint => ({
  status,
  detail: null,
  from: 'verify() resolved',
  ...change,
});

const refused: Decision = {
  access: false,
  validation: null,
  problem: { code: 'wrong_customer', message: 'Cannot give access' },
};

describe('the next step for the shopper', () => {
  it.each([
    [null, 'closed', 'Verify my age'],
    [aHint('waiting'), 'waiting', 'Show the check'],
    [aHint('leaving'), 'leaving', 'Verify my age'],
    [aHint('failed'), 'failed', 'Try again'],
    [aHint('cancelled'), 'cancelled', 'Start again'],
    [aHint('verified'), 'asking', null],
    [aHint('error', { detail: { code: 'popup_blocked' } }), 'blocked', 'Try again'],
    [aHint('error', { detail: { code: 'session_expired' } }), 'expired', 'Start a new check'],
    [aHint('error', { detail: { code: 'network_error' } }), 'error', 'Try again'],
    [aHint('error', { detail: null }), 'error', 'Try again'],
  ] as const)('after the hint %o is "%s"', (hint, kind, button) => {
    expect(toNextStep(hint, anAccess(), null)).toMatchObject({ kind, button });
  });

  it.each([
    ['pending', 'unfinished', 'Start a new check'],
    ['failed', 'failed', 'Try again'],
    ['cancelled', 'cancelled', 'Start again'],
    ['verified', 'closed', 'Verify my age'],
  ] as const)('is "$1" if validate reported $0 and there is no hint', (status, kind, button) => {
    const validation = { status } as ValidationResult;
    const decision: Decision = { access: false, validation, problem: null };
    expect(toNextStep(null, anAccess(), decision)).toMatchObject({ kind, button });
  });

  it('welcomes the shopper only if the server granted access', () => {
    expect(toNextStep(aHint('verified'), anAccess(), null).kind).toBe('asking');
    expect(toNextStep(aHint('verified'), anAccess(), refused)).toMatchObject({
      kind: 'failed',
      // The message of the problem is for the developer, in the panel beside the shop.
      text: 'Your browser said "verified", but our server could not confirm it.',
    });
    expect(toNextStep(aHint('failed'), anAccess({ access: true }), null).kind).toBe('open');
  });

  it.each([...new Set([...RETRYABLE, ...Object.keys(SENTENCES), 'api_key_invalid', 'forbidden'])])(
    'explains %s in words for shoppers instead of those of the SDK',
    (code) => {
      const detail = { code, message: 'connect-src' };
      const { title, text } = toNextStep(aHint('error', { detail }), anAccess(), null);
      expect(text).toMatch(/^[A-Z].+\.$/);
      expect(title + text).not.toMatch(/connect-src|_|undefined/);
    },
  );

  it('offers redirect mode only when the window was blocked', () => {
    const blocked = aHint('error', { detail: { code: 'popup_blocked' } });
    expect(toNextStep(blocked, null, null).offersRedirect).toBe(true);
    expect(toNextStep(aHint('failed'), null, null).offersRedirect).toBe(false);
  });
});

describe('the visibility of the expired step', () => {
  const timeout = aWebhook('session.timeout');
  it.each([
    [null, [timeout], true, 'the page was closed meanwhile'],
    [aHint('waiting'), [timeout], true, 'the window is still open'],
    [aHint('cancelled', { sessionId: 's1' }), [timeout], true, 'the window was closed afterwards'],
    [aHint('cancelled', { sessionId: 's2' }), [timeout], false, 'another check was cancelled'],
    [
      aHint('waiting', { lastWebhookAt: timeout.receivedAt }),
      [timeout],
      false,
      'a new verification has started',
    ],
    [null, [aWebhook('session.started', 's2'), timeout], false, 'a new session has started'],
    [null, [], false, 'there is no event'],
  ] as const)('is $2 if $3', (hint, webhooks, isExpired, _why) => {
    expect(toNextStep(hint, anAccess({ webhooks }), null).kind === 'expired').toBe(isExpired);
  });
});
