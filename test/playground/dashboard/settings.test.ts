/** The forms of the dashboard's settings, and the files of snapshots. */
import { describe, expect, it } from 'vitest';
import {
  addDomains,
  toBillingChange,
  toBillingDraft,
  toNumberOrText,
} from '../../../playground/dashboard/settings-change.ts';
import { parseSnapshotFile } from '../../../playground/shared/snapshot-file.ts';

it.each([
  ['30', 30],
  [' 30 ', 30],
  ['2.5', 2.5],
  ['', ''],
  ['  ', '  '],
  ['thirty', 'thirty'],
])('toNumberOrText(%j) returns %j', (text, value) => expect(toNumberOrText(text)).toBe(value));

it('addDomains splits pasted text and drops duplicates', () => {
  expect(addDomains(['a.example'], ' b.example,a.example;\n*.c.example ')).toEqual([
    'a.example',
    'b.example',
    '*.c.example',
  ]);
  expect(addDomains(['a.example'], '  ')).toEqual(['a.example']);
});

it('toBillingChange returns the block of an unchanged draft, and null if no code is selected', () => {
  const block = { code: 'PLAN_LIMIT_REACHED', message: 'Used up' } as const;
  expect(toBillingChange(toBillingDraft(block))).toEqual({ billingBlock: block });
  expect(toBillingChange({ ...toBillingDraft(block), code: '' })).toEqual({ billingBlock: null });
});

describe('snapshot files', () => {
  it.each([
    ['', /not JSON/],
    ['{', /not JSON/],
    ['[]', /one JSON object/],
    ['null', /one JSON object/],
  ])('are rejected with a message if they contain %j', (text, why) => {
    expect(() => parseSnapshotFile(text)).toThrow(why);
  });
});
