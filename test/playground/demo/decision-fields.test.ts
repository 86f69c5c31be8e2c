import { describe, expect, it } from 'vitest';
import { sortFields, toForgery } from '../../../playground/demo/decision-fields.ts';

it('sortFields puts the fields that decide first, and leaves out those without a value', () => {
  const fields = { timestamp: 1, accessGranted: null, other: undefined, status: 'failed' };
  expect(sortFields(fields)).toEqual([
    ['status', 'failed'],
    ['accessGranted', null],
    ['timestamp', 1],
  ]);
});

describe('toForgery', () => {
  it.each([
    ['https://a.example/r?sessionId=1&status=failed', 'failed', '?sessionId=1&status=verified'],
    ['https://a.example/r?status=verified&x=a%20b#top', 'verified', '?x=a%20b&status=failed'],
    ['https://a.example/r?status=failed', 'failed', '?status=verified'],
    ['https://a.example/r', 'cancelled', '?status=verified'],
  ])('changes the status in %s', (href, status, query) => {
    expect(toForgery(href, status).href).toBe(`https://a.example/r${query}`);
  });
});
