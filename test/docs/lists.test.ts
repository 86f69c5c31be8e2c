/** Compares the lists and limits in the pages with the code that they describe. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OfAgeError as SdkError } from 'ofage';
import { SCENARIOS as SCENARIO_CATALOGUE } from 'ofage-mock';
import { OfAgeError as KitError } from 'ofage/server';
import { expect, it } from 'vitest';
import {
  FAST_IN_A_ROW,
  SLOW_ANSWER_MS,
  VERY_SLOW_ANSWER_MS,
} from '../../mock-server/doctor/delivery-checks.ts';
import { DOCTOR_CODES } from '../../mock-server/doctor/examine.ts';
import { UNTRIED_CODES } from '../../mock-server/doctor/untried.ts';
import { RETURN_GRACE_MS } from '../../mock-server/doctor/result-checks.ts';
import type { GiveUpReason } from '../../mock-server/rules/deliveries.ts';
import { healthResource } from '../../mock-server/service/operations/endpoints.ts';
import * as limits from '../../mock-server/rules/webhook-limits.ts';
import { MAX_CHANGES } from '../../mock-server/store/changes.ts';
import { TIMEOUT_MS } from '../../src/timeout.ts';
import type { OfAgeErrorCode } from '../../src/error-codes.ts';
import { OFAGE_ERROR_CODES } from '../../src/server/errors.ts';
import { ATTACKS } from '../../playground/labs/attack/attacks.ts';
import { LEAST_EXERCISED } from '../mock-server/send/simulation/report.ts';
import { findCodeBlocks } from '../support/code-blocks.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the names in backticks in the first column of the table whose heading starts with `head`. */
function names(page: string, head: string): string[] {
  return rowsOf(page, head).flatMap(([cell = '']) =>
    [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
  );
}

/** Returns the titles without backticks in the first column of all tables. */
const titles = (page: string): string[] =>
  [...page.matchAll(/^\| ([A-Z][^|]*?) +\|/gm)].map(([, title = '']) => title);

const titlesOf = (list: Iterable<{ readonly title: string }>): string[] =>
  [...list].map(({ title }) => title);

const sorted = (list: Iterable<string>): string[] => [...new Set(list)].toSorted();

/** Returns the texts that the page does not contain. */
const missing = (page: string, texts: readonly string[]): string[] =>
  texts.filter((text) => !page.includes(text));

/** Returns the numbers of seconds that the lines of a page with `word` name, each once. */
const secondsIn = (page: string, word: string): number[] => [
  ...new Set(
    page
      .split('\n')
      .filter((line) => line.includes(word))
      .flatMap((line) => [...line.matchAll(/(\d+) seconds/g)].map(([, n]) => Number(n))),
  ),
];

const seconds = (ms: number): string => `${ms / 1_000} seconds`;

/** The type makes the list complete: a missing or additional name does not compile. */
const REASONS: Readonly<Record<GiveUpReason, true>> = {
  paused: true,
  disabled: true,
  expired: true,
  attempts: true,
  rejected: true,
  lost: true,
};

/** Returns the invariants of the simulation: the code, and the names of the files that check it. */
function invariants(page: string): [code: string, files: string[]][] {
  const rows = [...page.matchAll(/^\| `(\w+)`(.*)$/gm)].map(([, code = '', rest = '']) => ({
    code,
    paths: [...rest.matchAll(/\((\S+)\)/g)].map(([, path = '']) => path),
  }));
  return rows
    .filter(({ paths }) => paths.every((path) => path.includes('/simulation/')))
    .map(({ code, paths }) => [code, sorted(paths.map((path) => basename(path)))]);
}

const CHECKS = globSync('test/mock-server/send/simulation/check*.ts', { cwd: ROOT }).map(
  (path) => ({ file: basename(path), text: read(path) }),
);

/** Returns the files of the simulation that report a violation of this invariant, perhaps among others. */
const filesThatCheck = (code: string): string[] =>
  sorted(
    CHECKS.filter(({ text }) => new RegExp(`fail\\([^,]*'${code}'`).test(text)).map(
      ({ file }) => file,
    ),
  );

/** Returns the files of docs/adding.md that do not exist or do not mention the example of their section. */
function findWrongFiles(page: string): { examples: number; wrong: string[] } {
  const sections = page.split(/^## /m).map((section) => ({
    example: /^Example: `([^`]+)`$/m.exec(section)?.[1],
    files: [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path),
  }));
  const isRight = (path: string, example = ''): boolean =>
    existsSync(join(ROOT, path)) &&
    (path.endsWith(`/${example}.ts`) || read(path).includes(example));
  return {
    examples: sections.filter(({ example }) => example !== undefined).length,
    wrong: sections.flatMap(({ example, files }) =>
      files.filter((path) => !isRight(path, example)),
    ),
  };
}

/** Returns the cells of the table whose heading starts with `head`, without the heading. */
function rowsOf(page: string, head: string): string[][] {
  const table = page.slice(page.search(new RegExp(`^\\| ${head} +\\|`, 'm'))).split('\n\n')[0];
  const rows = (table ?? '').split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The codes of the SDK, which exist only as a type. */
const SDK_ERROR_CODES = Array.from(
  read('src/error-codes.ts').matchAll(/^ {2}\| '(\w+)'/gm),
  ([, code]) => code as OfAgeErrorCode,
);

/** Returns the codes of docs/errors.md between two headings, and whether the same call may succeed later. */
function errors(page: string, from: string, to: string): [code: string, isRetryable: boolean][] {
  const text = page.split(`\n## ${from}`)[1]?.split(`\n## ${to}`)[0] ?? '';
  const rows = text.matchAll(/^\| `(\w+)` +\| (yes|no) +\| .{15,}? \| .{12,}? \|$/gm);
  return Array.from(rows, ([, code = '', again]): [string, boolean] => [code, again === 'yes']);
}

const EVENTS: Readonly<Record<(typeof SCENARIO_CATALOGUE)[number]['outcome'], string>> = {
  verified: '`verification.completed`',
  failed: '`verification.failed`',
  cancelled: '`verification.cancelled`',
  expired: '`session.timeout`',
  pending: 'none before `session.timeout`',
};

interface List {
  readonly page: string;
  readonly what: string;
  /** Returns what the page says. */
  readonly said: (page: string) => unknown;
  /** What the code says. */
  readonly is: unknown;
}

/** Where the pages name a time limit: the page, a word of the line, and the limit. */
const TIME_LIMITS = [
  ['docs/errors.md', '`request_timeout`', TIMEOUT_MS],
  ['docs/errors.md', '`webhook_timeout`', limits.ATTEMPT_TIMEOUT_MS],
  ['docs/guides/limits.md', 'request of the SDK, of the kit', TIMEOUT_MS],
  ['docs/guides/limits.md', 'response of a webhook receiver', limits.ATTEMPT_TIMEOUT_MS],
  ['docs/guides/go-live.md', 'does longer work after its response', limits.ATTEMPT_TIMEOUT_MS],
  ['docs/guides/signatures.md', 'Respond with 204', limits.ATTEMPT_TIMEOUT_MS],
  ['docs/guides/webhooks.md', 'Do longer work after the response', limits.ATTEMPT_TIMEOUT_MS],
] as const;

const LISTS: readonly List[] = [
  {
    page: 'docs/adding.md',
    what: 'names files that exist and contain the example',
    said: findWrongFiles,
    is: { examples: 11, wrong: [] },
  },
  {
    page: 'docs/delivery-invariants.md',
    what: 'lists the invariants of the simulation, each with the files that check it',
    said: (page) => invariants(page).toSorted(),
    // "H2 unbroken" is a rarer case of H2.
    is: sorted(Object.keys(LEAST_EXERCISED).map((name) => name.split(' ')[0] ?? '')).map((code) => [
      code,
      filesThatCheck(code),
    ]),
  },
  {
    page: 'docs/errors.md',
    what: 'has every error of the SDK with a cause, a fix and whether the same call may succeed later',
    said: (page) => errors(page, 'The browser SDK', 'Warnings').toSorted(),
    is: SDK_ERROR_CODES.map((code) => [code, new SdkError(code).retryable]).toSorted(),
  },
  {
    page: 'docs/errors.md',
    what: 'has every error of the server kit with a cause, a fix and whether the same call may succeed later',
    said: (page) => errors(page, 'The server kit', 'Findings').toSorted(),
    is: OFAGE_ERROR_CODES.map((code) => [code, new KitError(code, '').retryable]).toSorted(),
  },
  {
    page: 'docs/errors.md',
    what: 'has the section to which warnings link',
    said: (page) => page.includes('\n## Warnings\n'),
    is: true,
  },
  {
    page: 'docs/errors.md',
    what: 'lists the findings in the order of the checks',
    said: (page) => names(page.split('## Findings')[1] ?? '', 'code'),
    is: [...DOCTOR_CODES],
  },
  {
    page: 'docs/errors.md',
    what: 'contains the limits of the checks',
    said: (page) =>
      missing(page, [
        ...[RETURN_GRACE_MS, SLOW_ANSWER_MS, VERY_SLOW_ANSWER_MS].map(seconds),
        `${FAST_IN_A_ROW} fast responses`,
      ]),
    is: [],
  },
  {
    page: 'docs/guides/troubleshooting.md',
    what: 'lists what can be untried, in the order of the report',
    said: (page) => names(page.split('### What you have not tried')[1] ?? '', 'code'),
    is: UNTRIED_CODES,
  },
  {
    page: 'docs/guides/frameworks.md',
    what: 'contains only files of the projects that npm run consumers builds, unchanged',
    // examples.test.ts compares those of Next.js.
    said: (page) =>
      findCodeBlocks(page.slice(page.indexOf('### SvelteKit'))).map(({ code }) => code),
    is: [
      'sveltekit/src/env.ts',
      'sveltekit/src/routes/age-check/+server.ts',
      'sveltekit/src/routes/webhooks/ofage/+server.ts',
      'sveltekit/src/routes/+page.svelte',
      'nuxt/server/routes/age-check.post.ts',
      'nuxt/server/routes/webhooks/ofage.ts',
      'nuxt/app/app.vue',
    ].map((file) => read(`test/consumers/nightly/${file}`)),
  },
  {
    page: 'docs/guides/go-live.md',
    what: 'mentions every finding about a mistake once in its checklist',
    said: (page) =>
      [...(page.split('## Move to')[0] ?? '').matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)]
        .map(([, code]) => code)
        .toSorted(),
    is: sorted(DOCTOR_CODES).filter((code) => !['nothing_seen', 'all_well'].includes(code)),
  },
  {
    page: 'docs/guides/trust.md',
    what: 'lists the attacks of the attack lab in order',
    said: (page) => titles(page.split('## Eight attacks')[1]?.split('\n## ')[0] ?? ''),
    is: titlesOf(ATTACKS),
  },
  {
    page: 'docs/guides/limits.md',
    what: 'lists the reasons for undelivered events',
    said: (page) => sorted(names(page, 'reason')),
    is: sorted(Object.keys(REASONS)),
  },
  {
    page: 'docs/guides/limits.md',
    what: 'lists the states of the endpoint health',
    said: (page) => sorted(names(page, 'state')),
    is: sorted(healthResource.entries.state.options),
  },
  {
    page: 'docs/guides/limits.md',
    what: 'contains the limits of the delivery engine',
    said: (page) =>
      missing(page, [
        `within ${seconds(limits.ATTEMPT_TIMEOUT_MS)}`,
        `for ${limits.DELIVERY_WINDOW_MS / 3_600_000} hours, at most ${limits.BACKOFF_CAP_MS / 60_000} minutes apart`,
        `retried after ${limits.BACKOFF_BASE_MS / 1_000}, ${limits.BACKOFF_BASE_MS / 500},`,
        `the oldest ${limits.REDELIVERY_BATCH} of`,
      ]),
    is: [],
  },
  ...TIME_LIMITS.map(([page, word, ms]): List => ({
    page,
    what: `has the time limit of the code where it says "${word}"`,
    said: (text) => secondsIn(text, word),
    is: [ms / 1_000],
  })),
  {
    page: 'docs/guides/limits.md',
    what: 'contains the number of changes that are kept',
    said: (page) => missing(page, [`${MAX_CHANGES} of the clock and ${MAX_CHANGES} others`]),
    is: [],
  },
  {
    page: 'docs/guides/scenarios.md',
    what: 'lists the scenarios of the catalogue',
    said: (page) => rowsOf(page, 'name'),
    is: SCENARIO_CATALOGUE.map(({ name, description, outcome, reason, needsFaceMatch }) => [
      `\`${name}\``,
      `${description}${needsFaceMatch ? ' (only where face match is on)' : ''}`,
      outcome === 'pending' ? 'pending, later expired' : outcome,
      reason === null ? '' : `\`${reason}\``,
      EVENTS[outcome],
    ]),
  },
];

it.each(LISTS)('$page $what', ({ page, said, is }) => {
  expect(said('')).not.toEqual(is); // otherwise, the test would pass after the list was deleted
  expect(said(read(page))).toEqual(is);
});

const PAGES = globSync('{,docs/,docs/decisions/,docs/guides/}*.md', { cwd: ROOT });

/** Returns the anchor that code hosts and the site give to a heading. */
const toAnchor = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (page: string): string => page.replace(/^ *```[\s\S]*?^ *```/gm, '');

const anchorsOf = (file: string): string[] =>
  Array.from(withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    toAnchor(heading),
  );

it.each(globSync('docs/guides/*.md', { cwd: ROOT }))(
  '%s says at its top what the reader has at its end',
  (page) => {
    const [top = ''] = read(page).split('\n## ');
    expect(top).toMatch(/^At the end, /m);
  },
);

const OUR_FILE = /`((?:bench|docs|mock-server|playground|src|test)\/[\w./-]+\.\w+)`/g;

it.each(PAGES)('%s links to files and headings that exist, and names files that exist', (page) => {
  const text = withoutCode(read(page));
  const links = Array.from(text.matchAll(/\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)/g));
  const broken = links.filter(([, path = '', anchor = '']) => {
    const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
    return !existsSync(file) || (anchor !== '' && !anchorsOf(file).includes(anchor));
  });
  // A guide names files of the reader's project.
  const named = page.includes('guides/') ? [] : text.matchAll(OUR_FILE);
  const gone = Array.from(named).filter(([, path = '']) => !existsSync(join(ROOT, path)));
  expect([...broken, ...gone].map(([all]) => all)).toEqual([]);
});

it.each(PAGES)(
  '%s names every column, because a screen reader reads the name with each cell',
  (page) => {
    const rows = withoutCode(read(page)).split('\n');
    const heads = rows.filter((_, at) => /^\| *:?-+/.test(rows[at + 1] ?? ''));
    const isNamed = (head: string): boolean =>
      head
        .split('|')
        .slice(1, -1)
        .every((cell) => cell.trim());
    expect(heads.filter((head) => !isNamed(head))).toEqual([]);
  },
);
