// @vitest-environment jsdom
import { compareReports, REPORTERS, type CheckResult, type Report } from 'ofage-mock/conformance';
import { describe, expect, it } from 'vitest';
import { parseReport, toSummaryLine } from '../../mock-server/conformance/report.ts';

const passed: CheckResult = {
  id: 'create.externalUserId.plain',
  section: 'POST /sessions/create',
  sentence: 'The externalUserId is returned unchanged',
  level: 'must',
  kind: 'safe',
  status: 'passed',
  reason: null,
  failure: null,
  answer: '201',
  durationMs: 12,
};
const failed: CheckResult = {
  ...passed,
  id: 'validate.twice',
  section: 'POST /sessions/validate',
  sentence: 'A verified session can be validated only once & never again',
  status: 'failed',
  failure: {
    sent: 'POST /sessions/validate',
    expected: 'status 400',
    answered: '200 {"a":"<b>|"}',
    cause: null,
    endsRun: false,
    examples: ['verified', 'failed'],
  },
  answer: '200',
};
const skipped: CheckResult = {
  ...passed,
  id: 'webhooks.pause.recorded',
  section: 'Events',
  sentence: 'Events of a paused endpoint are recorded',
  level: 'reading',
  status: 'skipped',
  reason: 'needs a driver that can let time pass (advance)',
  answer: null,
};

const report = (...results: CheckResult[]): Report => ({
  name: 'production',
  apiBase: 'https://api.shop.example/api/v1',
  level: 'reading',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1_234,
  results,
});
const ALL = report(passed, failed, skipped);
const LINE = '3 checks in 1.2 s: 1 passed, 1 failed, 1 skipped';

describe('the summary', () => {
  it('ends with the counts of all checks', () => {
    expect(REPORTERS.summary(ALL).split('\n').at(-1)).toBe(LINE);
  });

  it('of a run without failures has only the counts', () => {
    expect(REPORTERS.summary(report(passed))).toBe(
      'must: 1 passed, 0 failed, 0 skipped\n1 checks in 1.2 s: 1 passed, 0 failed, 0 skipped',
    );
  });

  it('contains the request, the expectation and the response of a failed check', () => {
    const text = REPORTERS.summary(ALL);
    expect(text).toContain('FAILED  validate.twice (must, POST /sessions/validate)');
    expect(text).toContain('  rule      A verified session can be validated only once');
    expect(text).toContain('  sent      POST /sessions/validate');
    expect(text).toContain('  expected  status 400');
    expect(text).toContain('  answered  200 {"a":"<b>|"}');
    expect(text).toContain('  example   verified');
    expect(text).toContain('  also for  failed');
  });

  it('lists the failures of the most binding level first', () => {
    const reading = { ...failed, id: 'create.null', level: 'reading' as const };
    const ids = [...REPORTERS.summary(report(reading, failed)).matchAll(/^FAILED  (\S+)/gm)];
    expect(ids.map(([, id]) => id)).toEqual(['validate.twice', 'create.null']);
  });

  it('shows failures with one cause as one, with all their checks', () => {
    const failWith = (id: string, cause: string | null) => ({
      ...failed,
      id,
      failure: { ...failed.failure!, cause },
    });
    const text = REPORTERS.summary(
      report(
        failWith('create.null', '200 instead of 201'),
        failWith('auth.missing', null),
        failWith('auth.unknown', null),
        failWith('session.id.uuid', '200 instead of 201'),
        failWith('session.token.not-jwt', '200 instead of 201'),
      ),
    );
    expect(text.match(/^FAILED .*/gm)).toEqual([
      'FAILED  create.null (must, POST /sessions/validate), and 2 more checks with the same cause',
      'FAILED  auth.missing (must, POST /sessions/validate)',
      'FAILED  auth.unknown (must, POST /sessions/validate)',
    ]);
    expect(text).toContain('  also in   session.id.uuid, session.token.not-jwt');
    expect(text).toContain('5 failed');
  });

  it('begins with the most frequent reason of skipped checks, and cuts only long lists', () => {
    const ofReason = (reason: string, count: number): CheckResult[] =>
      Array.from({ length: count }, (_, n) => ({ ...skipped, reason, id: `${reason}.${n}` }));
    const text = REPORTERS.summary(report(...ofReason('a', 1), ...ofReason('b', 3)));
    expect(text.match(/^SKIPPED .*/gm)).toEqual([
      'SKIPPED  3: b: b.0, b.1, b.2',
      'SKIPPED  1: a: a.0',
    ]);
  });

  it('groups skipped checks by their reason', () => {
    const many = Array.from({ length: 5 }, (_, n) => ({ ...skipped, id: `events.${n}` }));
    expect(REPORTERS.summary(report(...many))).toContain(
      'SKIPPED  5: needs a driver that can let time pass (advance): events.0, events.1, events.2 and 2 more',
    );
  });
});

describe('a whole report', () => {
  const ended: CheckResult = {
    ...failed,
    id: 'auth.missing',
    section: 'Errors',
    level: 'reading',
    durationMs: 1_500,
    failure: { ...failed.failure!, sent: 'GET /', endsRun: true, examples: [] },
  };
  const whole = report(passed, failed, skipped, ended);

  it('as a summary begins with what ended the run', () => {
    expect(REPORTERS.summary(whole)).toBe(`FAILED  auth.missing (reading, Errors)
  rule      ${failed.sentence}
  sent      GET /
  expected  status 400
  answered  200 {"a":"<b>|"}

FAILED  validate.twice (must, POST /sessions/validate)
  rule      ${failed.sentence}
  example   verified
  sent      POST /sessions/validate
  expected  status 400
  answered  200 {"a":"<b>|"}
  also for  failed

SKIPPED  1: needs a driver that can let time pass (advance): webhooks.pause.recorded

must: 1 passed, 1 failed, 0 skipped
reading: 0 passed, 1 failed, 1 skipped
4 checks in 1.2 s: 1 passed, 2 failed, 1 skipped`);
  });

  it('as JUnit has a suite for each section, with its own counts', () => {
    const text = REPORTERS.junit(whole);
    const name = 'validate.twice: A verified session can be validated only once &amp; never again';
    expect(text.split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="Conformance of production" tests="4" failures="2" errors="0" skipped="1" time="1.234">',
      '  <testsuite name="POST /sessions/create" tests="1" failures="0" errors="0" skipped="0" timestamp="2026-01-01T00:00:00.000Z">',
      '    <testcase classname="POST /sessions/create" name="create.externalUserId.plain: The externalUserId is returned unchanged" time="0.012"/>',
      '  </testsuite>',
      '  <testsuite name="POST /sessions/validate" tests="1" failures="1" errors="0" skipped="0" timestamp="2026-01-01T00:00:00.000Z">',
      `    <testcase classname="POST /sessions/validate" name="${name}" time="0.012"><failure message="expected status 400">sent: POST /sessions/validate&#10;expected: status 400&#10;answered: 200 {&quot;a&quot;:&quot;&lt;b&gt;|&quot;}&#10;examples: verified, failed</failure></testcase>`,
      '  </testsuite>',
      '  <testsuite name="Events" tests="1" failures="0" errors="0" skipped="1" timestamp="2026-01-01T00:00:00.000Z">',
      '    <testcase classname="Events" name="webhooks.pause.recorded: Events of a paused endpoint are recorded" time="0.012"><skipped message="needs a driver that can let time pass (advance)"/></testcase>',
      '  </testsuite>',
      '  <testsuite name="Errors" tests="1" failures="1" errors="0" skipped="0" timestamp="2026-01-01T00:00:00.000Z">',
      `    <testcase classname="Errors" name="${name.replace('validate.twice', 'auth.missing')}" time="1.500"><failure message="expected status 400">sent: GET /&#10;expected: status 400&#10;answered: 200 {&quot;a&quot;:&quot;&lt;b&gt;|&quot;}</failure></testcase>`,
      '  </testsuite>',
      '</testsuites>',
    ]);
  });
});

describe('other formats:', () => {
  it('JUnit is well-formed XML with the counts', () => {
    const odd = {
      ...failed,
      failure: { ...failed.failure!, answered: 'a\u0000b\u000b\u000c\u001f & <c> "d"' },
    };
    const text = REPORTERS.junit(report(passed, odd, skipped));
    const document = new DOMParser().parseFromString(text, 'text/xml');
    expect(document.querySelector('parsererror')).toBeNull();
    const root = document.documentElement;
    expect(['tests', 'failures', 'skipped'].map((name) => root.getAttribute(name))).toEqual([
      '3',
      '1',
      '1',
    ]);
    expect(document.querySelector('failure')?.textContent).toContain(
      'answered: a\ufffdb\ufffd\ufffd\ufffd & <c> "d"',
    );
    expect(document.querySelector('skipped')?.getAttribute('message')).toBe(skipped.reason);
  });

  it('JSON is accepted by parseReport()', () => {
    expect(parseReport(JSON.parse(REPORTERS.json(ALL)))).toEqual(ALL);
  });
});

describe('parseReport', () => {
  it.each([null, [], {}, { name: 'x' }, { name: 'x', results: [1] }])('refuses %j', (value) => {
    expect(() => parseReport(value)).toThrow('it is not a report of the json reporter');
  });
});

describe('compareReports', () => {
  const mock = { ...report(passed, passed, skipped), name: 'the mock' };

  it('finds no difference between equal runs', () => {
    expect(compareReports(ALL, ALL)).toEqual([]);
  });

  it('returns the responses of both implementations if one of them failed a check', () => {
    const expected = { ...failed, status: 'passed' as const, failure: null, answer: '400 "Used"' };
    expect(compareReports(ALL, { ...mock, results: [passed, expected, skipped] })).toEqual([
      'validate.twice: production answers 200 {"a":"<b>|"} (expected status 400) where the mock answers 400 "Used"',
    ]);
  });

  it('reports a different response, even if the check passed in both runs', () => {
    const other = { ...passed, answer: '201 "Welcome"' };
    expect(compareReports(report(passed), { ...mock, results: [other] })).toEqual([
      'create.externalUserId.plain: production answers 201 where the mock answers 201 "Welcome"',
    ]);
  });

  it('ignores checks that one of the runs skipped or does not have', () => {
    const ran = { ...skipped, status: 'passed' as const, reason: null, answer: '200' };
    expect(compareReports(report(ran, failed), { ...mock, results: [skipped] })).toEqual([]);
  });

  it('adds "in the earlier run" if both runs have the same name', () => {
    const [line] = compareReports(report(failed), report({ ...passed, id: failed.id }));
    expect(line).toContain('where production in the earlier run answers 201');
    expect(toSummaryLine(ALL)).toBe(LINE);
  });
});
