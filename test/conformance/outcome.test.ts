import { expect, it } from 'vitest';
import { expectMatch } from '../../mock-server/conformance/matchers.ts';
import { CheckFailure, describeError } from '../../mock-server/conformance/outcome.ts';

const refused = new Error('connect ECONNREFUSED');

it.each<[why: string, error: unknown, text: string]>([
  ['an error', refused, 'connect ECONNREFUSED'],
  ['a text', 'no', 'no'],
  ['an error with causes', new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a: b: c'],
  [
    'all addresses that Node has tried',
    new TypeError('fetch failed', { cause: new AggregateError([refused, new Error('other')]) }),
    'fetch failed: connect ECONNREFUSED',
  ],
  ['several errors with a message', new AggregateError([refused], 'All failed'), 'All failed'],
  ['an error without a message', new Error('', { cause: refused }), ': connect ECONNREFUSED'],
])('%s is described with its causes', (_why, error, text) => {
  expect(describeError(error)).toBe(text);
});

it.each<[why: string, actual: object, cause: string | null]>([
  ['is absent', {}, 'the body.status'],
  ['has another value', { status: 'failed' }, null],
  ['is null', { status: null }, null],
])('failures share a cause if a field %s: %j', (_why, actual, cause) => {
  const compare = (): void => expectMatch('the body', actual, { status: 'verified' }, false);
  expect(compare).toThrow(CheckFailure);
  expect(compare).toThrow(expect.objectContaining({ sharedCause: cause }));
});
