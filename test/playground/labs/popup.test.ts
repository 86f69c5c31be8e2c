import { describe, expect, it } from 'vitest';
import { nextStop } from '../../../playground/labs/coop/next-stop.ts';
import { LABS, parseLab } from '../../../playground/labs/lab-route.ts';
import {
  POPUP_SCENARIOS,
  SCENARIOS,
  toReport,
  toReportLine,
  toTruthLines,
} from '../../../playground/labs/popup/scenarios.ts';

it('the popup lab lists every scenario once', () => {
  expect(SCENARIOS.map(({ id }) => id)).toEqual(POPUP_SCENARIOS);
});

describe('toReportLine()', () => {
  it.each([
    {
      kind: 'resolved',
      value: { status: 'cancelled', reason: 'closed' },
      line: 'resolved cancelled, reason closed, 1.2 s after the click',
    },
    {
      kind: 'resolved',
      value: { status: 'verified', sessionId: 'x' },
      line: 'resolved verified, 1.2 s after the click',
    },
    {
      kind: 'rejected',
      value: Object.assign(new Error('no'), {
        code: 'popup_blocked',
        details: { reason: 'no_user_gesture' },
      }),
      line: 'rejected popup_blocked, reason no_user_gesture, 1.2 s after the click',
    },
    { kind: 'rejected', value: 'odd', line: 'rejected, 1.2 s after the click' },
  ] as const)('returns "$line"', ({ kind, value, line }) => {
    expect(toReportLine(toReport(kind, value, 1_234))).toBe(line);
  });
});

it('toTruthLines() tells whether the hosted page is open, regardless of window.closed', () => {
  expect(
    toTruthLines({ sessionStatus: 'pending', isPageOpen: true, handleSaysClosed: true }),
  ).toEqual([
    'The session is pending at the service.',
    'The hosted page is open, and its window reads closed === true.',
  ]);
  expect(toTruthLines({ sessionStatus: null, isPageOpen: false, handleSaysClosed: null })).toEqual([
    'There is no session.',
    'No window was opened.',
  ]);
});

describe('nextStop()', () => {
  const ROOT = 'http://127.0.0.1:4010/some/path/';
  const stop = (next: string, more = ''): string | null =>
    nextStop(`${ROOT}labs/coop/?next=${encodeURIComponent(next)}${more}`, ROOT);

  it('returns the hosted page with the parameters that the SDK appended', () => {
    expect(stop(`${ROOT}verify/?sessionId=1&lang=de`, '&lang=fr&skip_intro=true')).toBe(
      `${ROOT}verify/?sessionId=1&lang=de&skip_intro=true`,
    );
  });

  it.each([
    'https://elsewhere.example/verify/',
    'http://127.0.0.1:4011/some/path/verify/',
    `${ROOT}labs/`,
    `${ROOT}verify/../labs/`,
    'javascript:alert(1)',
    '//elsewhere.example/some/path/verify/',
    '',
  ])('rejects the destination "%s"', (next) => {
    expect(stop(next)).toBeNull();
  });
});

describe('parseLab()', () => {
  it.each([...LABS.map(({ id }) => [`#${id}`, id]), ['#/popup', 'popup'], ['', 'webhook']])(
    'parses "%s" as %s',
    (hash, id) => {
      expect(parseLab(hash!)).toBe(id);
    },
  );

  it('returns the first lab for an invalid hash', () => {
    expect(parseLab('#%')).toBe('webhook');
  });
});
