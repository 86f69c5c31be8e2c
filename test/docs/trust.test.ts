/** Finds the proof of each sentence about data in the guide about trust, and proves those that have no other. */
import { globSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startMockServer } from 'ofage-mock/node';
import { en } from '../../playground/verify/messages/en.ts';
import { aMock, HOOK } from '../support/a-mock.ts';
import { createSession } from '../support/api.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The end of this file, or a file and a part of the name of a test in it. */
type Proof = 'below' | readonly [file: string, test: string];

/** Sentences that tell the reader what to do, or that depend on the reader's own server or contract. */
const ADVICE = 'advice';

const service = (name: string, test: string): Proof => [`test/mock-server/service/${name}`, test];
const ERASED = service('erasure.test.ts', 'the data file soon has nothing of %s');
const LOGS = (test: string): Proof => ['test/mock-server/store/logs/log-conformance.ts', test];

const PROOFS: Readonly<Record<string, readonly Proof[] | typeof ADVICE>> = {
  // The table, by its first column.
  'pictures of the face and the document': [
    ['test/playground/verify/privacy.test.ts', 'mentions no API that could read, record or send'],
    'below',
  ],
  'date of birth, name, document number': ['below'],
  'the session’s ID, its result and its time': ADVICE,
  '`externalUserId`': ['below'],
  'times of the last attempts, at most five per `externalUserId`, under a short hash of the key and that ID; no cookie':
    [
      ['test/sdk/rate-limit.test.ts', 'allows five attempts a minute across reloads'],
      ['test/sdk/rate-limit.test.ts', 'stores neither the API key nor the user identifier'],
      'below',
    ],
  'request logs of your server with the return URL': ADVICE,
  // The list, by the beginning of each sentence.
  'Where the provider stores the pictures': ADVICE,
  'Ask the provider before you go live': ADVICE,
  'Remember a customer who passed says what to store': ADVICE,
  'Do not keep a failed result longer': ADVICE,
  'Delete the stored result when you delete': ADVICE,
  'Tell shoppers before the check': ADVICE,
  'In many countries a picture': ADVICE,
  'The hosted page asks for consent': ['below'],
  'The mock stores no picture': ['below'],
  'It sends only webhooks': [
    'below',
    service('webhook-hold.test.ts', 'sends nothing to public addresses, however far time moves'),
  ],
  'The mock deletes a session with its events and requests about seven days': [
    ['test/mock-server/send/engine.test.ts', 'are kept for seven days and then deleted'],
    ERASED,
  ],
  'A reset deletes everything': [ERASED],
  'Within seconds, or when the mock stops': [
    ERASED,
    service('erasure.test.ts', 'a closed data file has nothing of %s'),
    LOGS('soon erases deleted and replaced data from its files'),
    LOGS('erases deleted and replaced data when it is closed'),
  ],
  'The write-ahead log and the backups of your PostgreSQL server': ADVICE,
  'Requests without a session, such as refused ones': [
    service('request-log.test.ts', 'writes only the last 500 requests of a burst'),
  ],
  'Reports of a page that loads the SDK': [
    service('reports.test.ts', 'has no key, secret, token, query or whole user'),
  ],
  'The mock deletes such reports': [
    service('reports.test.ts', 'is deleted with its session, and by a reset'),
  ],
  'Reports without a session': [service('reports.test.ts', 'of %s keeps only the newest %i')],
  'The list of changes has no secret': [
    service('changes.test.ts', 'has no secret, no credentials of a URL and no personal data'),
  ],
  'The log of requests has no secret key': [
    service('redaction.test.ts', 'shows no secret of any kind in any encoding'),
    service('redaction.test.ts', 'contains no key, signing secret or token in any encoding'),
  ],
  'What your shop sends is in both': [
    service('snapshot.test.ts', 'has everything else, and the query of the route selects it'),
  ],
};

const section = read('docs/guides/trust.md').split('## Personal data')[1]!;

/** Returns the sentences of the list and the first cells of the table. */
function listSentences(): string[] {
  const lines = section.split('\n').map((line) => line.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'));
  const cells = lines.flatMap((line) => /^\| ([^|]*[^|\s-]) +\|/.exec(line)?.[1] ?? []).slice(1);
  const items = lines.filter((line) => line.startsWith('- '));
  return [...cells, ...items.flatMap((item) => item.slice(2).split(/(?<=\.) (?=[A-Z])/))].map(
    (sentence) => sentence.replaceAll("'", '’'),
  );
}

it('each sentence about data has a proof or is advice, and each proof exists', () => {
  const known = Object.keys(PROOFS);
  const sentences = listSentences();
  const isAbout = (sentence: string, start: string): boolean => sentence.startsWith(start);
  expect(sentences.filter((one) => !known.some((start) => isAbout(one, start)))).toEqual([]);
  expect(known.filter((start) => !sentences.some((one) => isAbout(one, start)))).toEqual([]);
  const files = Object.values(PROOFS).flatMap((proofs) => (proofs === ADVICE ? [] : proofs));
  const missing = files.filter((proof) => proof !== 'below' && !read(proof[0]).includes(proof[1]));
  expect(missing).toEqual([]);
});

it('no result, webhook or redirect has a date of birth, a name or a document number, but the user id', async () => {
  const my = await aMock({ endpoints: [{ url: HOOK }] });
  const { sessionId, sessionToken } = await my.create({ externalUserId: 'customer-1' });
  const { body: submitted } = await my.hosted('submit', sessionToken, { imageQuality: 'good' });
  const { body: result } = await my.api('validate', my.secretKey, { sessionId });
  await my.clock.advance(60_000);
  const bodies = my.sent.map(({ body }) => JSON.parse(body) as object);
  expect(bodies).toHaveLength(2);
  const names = new Set([submitted, result, ...bodies].flatMap(namesIn));
  const personal = [...names].filter((name) => /birth|dob|name$|document|number|age$/i.test(name));
  // The threshold of the check, and the name of the shop.
  expect(personal.toSorted()).toEqual(['challengeAge', 'merchantName']);
  const isNamed = (value: unknown): boolean => JSON.stringify(value).includes('customer-1');
  expect([isNamed(result), isNamed(bodies.at(-1)), isNamed(submitted)]).toEqual([true, true, true]);
});

/** Lists the names of the properties in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...namesIn(part)]);
}

it('the mock takes only the quality of a picture, and refuses the picture', async () => {
  const my = await aMock();
  const { sessionToken } = await my.create();
  const picture = 'data:image/png;base64,iVBORw0KGgo=';
  const refused = await my.hosted('submit', sessionToken, { imageQuality: 'good', picture });
  expect(refused.status).toBe(400);
  const { paths } = (await my.request('/openapi.json', { method: 'GET' })).body;
  const { schema } = paths['/hosted/v1/submit'].post.requestBody.content['application/json'];
  expect(Object.keys(schema.properties)).toEqual(['imageQuality']);
});

it('the mock connects to no other computer, and sets no cookie', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const server = await startMockServer({ port: 0 });
  try {
    const created = await createSession(server);
    expect(created.status).toBe(201);
    await server.control.trigger({ name: 'verified' });
    await server.clock.advance(9 * 86_400_000);
    const page = await fetch(server.console);
    expect(page.headers.get('set-cookie')).toBeNull();
  } finally {
    await server.close();
  }
  const hosts = connect.mock.calls.map((args) => JSON.stringify(args));
  expect(hosts.filter((host) => !/127\.0\.0\.1|localhost|::1/.test(host))).toEqual([]);
});

it('the first page of the hosted page shows the text of the consent before its button', () => {
  const intro = read('playground/verify/views/intro.tsx');
  expect(intro).toMatch(/<PrivacyText page=\{page\} text="consent" \/>[^]*testId="start"/);
  expect(en.consent).toMatch(/agree/);
});

it('the SDK writes no cookie', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  expect(files).toContain(join('src', 'rate-limit.ts'));
  expect(files.filter((file) => /document\.cookie|cookieStore/.test(read(file)))).toEqual([]);
});
