import { ControlError } from 'ofage/mock/client';
import { describe, expect, it } from 'vitest';
import { NoAnswerError } from '../../../../playground/shared/in-time.ts';
import {
  createProblem,
  isOutage,
  noteReconnect,
  onReconnect,
} from '../../../../playground/shared/live/reconnect.ts';

const outages = [
  { why: 'a timeout', error: new NoAnswerError('The service', 1_000) },
  {
    why: 'an unreachable service',
    error: new ControlError('unreachable', null, ['Cannot reach it']),
  },
  {
    why: 'an unreachable shop server',
    error: new Error("The shop's server cannot be reached", { cause: new TypeError('fetch') }),
  },
];
const others = [
  { why: 'an error response', error: new ControlError('refused', 400, ['url must use https']) },
  { why: 'a bug in the page', error: new TypeError('undefined is not a function') },
  { why: 'null', error: null },
];

describe('an error that a page shows', () => {
  it.each(outages)('disappears after a reconnect if its cause was $why', ({ error }) => {
    expect(isOutage(error)).toBe(true);
    const problem = createProblem();
    problem.set(error);
    expect(problem.text).toBe(error.message);
    problem.clearOutage();
    expect(problem.text).toBe('');
  });

  it.each(others)('stays after a reconnect if it was $why', ({ error }) => {
    expect(isOutage(error)).toBe(false);
    const problem = createProblem();
    problem.set(error);
    const { text } = problem;
    problem.clearOutage();
    expect(problem.text).toBe(text);
    problem.clear();
    expect(problem.text).toBe('');
  });
});

it('onReconnect() calls its listener for each later reconnect until it is stopped', () => {
  noteReconnect();
  let count = 0;
  const stop = onReconnect(() => (count += 1));
  expect(count).toBe(0);
  noteReconnect();
  noteReconnect();
  stop();
  noteReconnect();
  expect(count).toBe(2);
});
