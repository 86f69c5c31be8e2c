import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  DELIVERY_STATUSES,
  DELIVERY_WORDS,
  SESSION_STATUSES,
} from '../../mock-server/words/states.ts';
import {
  formatDate,
  formatHour,
  formatPreciseTime,
  formatTime,
  formatTimeInUtc,
  formatTimeOfDay,
  formatWeekday,
  toFieldValue,
} from '../../mock-server/words/times.ts';
import { SCENARIOS } from '../../mock-server/api/scenarios.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The sources whose texts people see: the pages, the command, the doctor and what they share. */
const FILES = ['playground', 'mock-server/cli', 'mock-server/doctor', 'mock-server/api'].flatMap(
  (folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('/dist/')),
);

interface Form {
  readonly what: string;
  readonly pattern: RegExp;
  /** A line that the pattern finds. */
  readonly example: string;
  /** The files that may have it, each for the reason that stands in it. */
  readonly except?: readonly string[];
}

const STATUSES = [...new Set([...SESSION_STATUSES, ...DELIVERY_STATUSES])].join('|');

const FORMS: readonly Form[] = [
  {
    what: 'a number in the form of a language',
    pattern: /\.toLocale\w*String\(/,
    example: "count.toLocaleString('en')",
  },
  {
    what: 'a date in the form of a language',
    pattern: /Intl\.DateTimeFormat\(/,
    example: "new Intl.DateTimeFormat('en-GB').format(at)",
    except: ['playground/verify/page.ts'],
  },
  {
    what: 'a part of a time in ISO 8601',
    pattern: /([aA]t|time|iso|ISOString\(\))[!?]?\.slice\(|\.toUTCString\(/,
    example: 'createdAt.slice(11, 19)',
    except: ['playground/shared/snapshot-file.ts'],
  },
  {
    what: 'the word for the state of a delivery',
    pattern: new RegExp(`['"\`>]${DELIVERY_WORDS.undelivered}['"\`<]`, 'i'),
    example: "text: 'Not delivered'",
  },
  {
    what: 'a word for which there is another one',
    pattern:
      /['"`>](Began|([Ss]ession|[Ee]vent|[Ee]ndpoint) id|Send a test|Send test event|Too young|Undelivered|Pending)['"`<]/,
    example: "label: 'Session id'",
    // The shopper reads these.
    except: ['playground/verify/messages/en.ts'],
  },
  {
    what: 'a list of states',
    pattern: new RegExp(`\\[\\s*'(${STATUSES})'(,\\s*'(${STATUSES})'){3,}`),
    example: "['pending', 'verified', 'failed', 'cancelled']",
  },
];

it.each(FORMS)('only mock-server/words/ has $what', ({ pattern, example, except = [] }) => {
  expect(FILES.length).toBeGreaterThan(200);
  expect(example).toMatch(pattern);
  const found = FILES.filter((file) => pattern.test(readFileSync(ROOT + file, 'utf8')));
  expect(found).toEqual([...except]);
});

it('every page is rendered by renderPage(), so that it shows control characters', () => {
  const found = FILES.filter((file) =>
    /import \{[^}]*\b(render|hydrate)\b[^}]*\} from 'preact'/.test(
      readFileSync(ROOT + file, 'utf8'),
    ),
  );
  expect(found).toEqual(['playground/shared/kit/render-page.ts']);
});

it('shows each time in UTC, and says so where its place does not', () => {
  const at = '2026-11-28T23:18:34.123Z';
  expect(formatTime(at)).toBe('2026-11-28 23:18:34 UTC');
  expect(formatTime(null)).toBe('never');
  expect(formatTimeInUtc(at)).toBe('2026-11-28 23:18:34');
  expect(formatPreciseTime(Date.parse(at))).toBe('2026-11-28 23:18:34.123 UTC');
  expect(formatDate(at)).toBe('2026-11-28');
  expect(formatTimeOfDay(at)).toBe('23:18:34');
  expect(formatHour(at)).toBe('23:18');
  expect(formatWeekday(at)).toBe('Sat 28 Nov');
  expect(toFieldValue(at)).toBe('2026-11-28T23:18');
});

it('knows every status of a session', () => {
  expect(new Set(SESSION_STATUSES)).toEqual(new Set(SCENARIOS.map(({ outcome }) => outcome)));
});
