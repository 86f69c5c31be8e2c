import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LEAVE_GRACE_MS } from '../../mock-server/sessions/devices.ts';
import { MAX_RETRIES } from '../../mock-server/sessions/submissions.ts';
import { toEnding } from '../../playground/verify/ending.ts';
import type { NoticeKind, View } from '../../playground/verify/visit.ts';
import { LANGUAGES } from '../../playground/verify/language.ts';
import { MESSAGES } from '../../playground/verify/messages/index.ts';
import { stepsFor } from '../../playground/verify/steps.ts';
import { aSession } from '../playground/verify/a-session.ts';

const guide = readFileSync(new URL('../../docs/guides/hosted-page.md', import.meta.url), 'utf8');

/** Expects each name in backticks anywhere in the guide. */
function expectNames(names: readonly string[]): void {
  for (const name of names) expect(guide).toContain(`\`${name}\``);
}

// The types make these complete. A missing or additional name does not compile.
const VIEWS: Readonly<Record<View['name'], true>> = {
  loading: true,
  intro: true,
  capture: true,
  processing: true,
  retake: true,
  resume: true,
  handoff: true,
  following: true,
  result: true,
  notice: true,
};
const NOTICES: Readonly<Record<NoticeKind, true>> = {
  invalid: true,
  expired: true,
  used: true,
  billing: true,
  unavailable: true,
};

describe('docs/guides/hosted-page.md', () => {
  it('lists every view in order', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    const named = rows.filter((name) => name !== undefined && name in VIEWS);
    expect(named).toEqual(Object.keys(VIEWS));
  });

  it('names every notice, picture, billing code and language', () => {
    expectNames(Object.keys(NOTICES));
    const steps = stepsFor(aSession({ verificationMode: 'L1' }), false);
    expectNames(steps);
    const codes = Object.keys(MESSAGES.en).flatMap(
      (key) => /^billing_([A-Z_]+)$/.exec(key)?.[1] ?? [],
    );
    expectNames(codes);
    expectNames(LANGUAGES);
  });

  it('contains the actual times and limits', () => {
    expect(guide).toMatch(new RegExp(`\\b${MAX_RETRIES} times\\b`));
    expect(guide).toMatch(new RegExp(`\\b${LEAVE_GRACE_MS / 1_000} seconds\\b`));
    const shown = (status: 'verified' | 'failed' | 'cancelled') =>
      (toEnding(aSession({ status }), false)?.shownMs ?? 0) / 1_000;
    expect(shown('cancelled')).toBe(0);
    expect(guide).toMatch(
      new RegExp(`after ${shown('verified')} seconds[^.]*failed[^.]*after ${shown('failed')}\\b`),
    );
  });

  it('quotes the actual texts of the page', () => {
    for (const text of [MESSAGES.en.withoutCamera, MESSAGES.en.handoff, MESSAGES.en.blurred]) {
      expect(guide).toContain(`\`${text}\``);
    }
  });
});
