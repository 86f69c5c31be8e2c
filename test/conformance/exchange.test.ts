import { expect, it } from 'vitest';
import { toStatusCause } from '../../mock-server/conformance/exchange.ts';

it.each<[status: number, expected: number, cause: string | null]>([
  [200, 201, '200 instead of 201'],
  [422, 400, '422 instead of 400'],
  [500, 201, '500 "No"'],
  // A request that should have been refused is a mistake of its own.
  [201, 400, null],
])('the status %i instead of %i has the cause %j', (status, expected, cause) => {
  const json = { message: 'No' };
  const answer = { status, headers: new Headers(), text: JSON.stringify(json), json };
  expect(toStatusCause(answer, expected)).toBe(cause);
});
