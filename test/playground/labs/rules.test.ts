import { readFileSync } from 'node:fs';
import { createMockService } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../../playground/labs/attack/attacks.ts';
import { takeExcerpt } from '../../../playground/labs/attack/attack.ts';
import { nextStop } from '../../../playground/labs/coop/next-stop.ts';
import { LABS, parseLab } from '../../../playground/labs/lab-route.ts';
import { toBytes } from '../../../playground/labs/webhook/behaviours.ts';
import {
  EXAMPLES,
  madeUpWebhook,
  toExample,
  toExplainRequest,
} from '../../../playground/shared/explainer/explain.ts';
import { foldAlike } from '../../../playground/labs/webhook/fold-alike.ts';
import { toRequestTimes } from '../../../playground/labs/webhook/request-times.ts';

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

it.each([
  ...LABS.map(({ id }) => [`#${id}`, id]),
  ['#/popup', 'popup'],
  ['', 'webhook'],
  ['#%', 'webhook'],
])('the address "%s" opens the lab %s', (hash, id) => {
  expect(parseLab(hash!)).toBe(id);
});

it.each(ATTACKS.flatMap(({ id, code }) => Object.values(code).map((one) => ({ id, ...one }))))(
  'the code of the attack $id is an excerpt of at most 25 lines of $file that ends with a statement',
  ({ file, ...excerpt }) => {
    const folder = file === 'careless-shop.ts' ? 'demo-backend' : 'reference-backend';
    const source = new URL(`../../../playground/${folder}/${file}`, import.meta.url);
    const taken = takeExcerpt(readFileSync(source, 'utf8'), excerpt);
    expect(taken).not.toBeNull();
    expect(taken!.split('\n').length).toBeLessThanOrEqual(25);
    expect(taken).toMatch(/[;}],?$/);
    const count = (bracket: RegExp): number => taken!.match(bracket)?.length ?? 0;
    expect(count(/[([{]/g)).toBeLessThanOrEqual(count(/[)\]}]/g));
  },
);

it('toBytes() shows each byte, including line breaks and non-ASCII letters', () => {
  const { text, hex, length } = toBytes(btoa('{"a": "\xc3\xa9"}\r\n'));
  expect(text).toBe('{"a": "é"}\r\n');
  expect(length).toBe(13);
  expect(hex).toBe('0000  7b 22 61 22 3a 20 22 c3 a9 22 7d 0d 0a           {"a": ".."}..');
});

it.each([
  ['sha256=ab', { 'x-ofage-signature': 'sha256=ab' }, 'the value of a header'],
  [' "sha256=ab" ', { 'x-ofage-signature': ' "sha256=ab" ' }, 'a value with quotes and spaces'],
  ['X-OfAge-Signature: sha256=ab', { 'X-OfAge-Signature': 'sha256=ab' }, 'one header line'],
  ['Host: a\r\nX-S: sha256=ab\r\n', { Host: 'a', 'X-S': 'sha256=ab' }, 'several header lines'],
  ['', {}, 'an empty text'],
])('toExplainRequest() parses %j to %o: %s', (header, headers, _why) => {
  expect(toExplainRequest({ body: '{}', header, secret: '' })).toEqual({ body: '{}', headers });
});

const FINDINGS = {
  right: [],
  reserialised: ['body_reformatted'],
  no_prefix: ['header_malformed'],
  newline: ['body_reformatted'],
  wrong_secret: ['unknown_secret'],
  old_secret: ['unknown_secret'],
} as const;
it.each(EXAMPLES)('the service finds in the example "$id" what it shows', async ({ id }) => {
  const pasted = toExplainRequest(await toExample(id, await madeUpWebhook()));
  const { findings } = await createMockService().control.explainWebhook(pasted);
  expect(findings.map(({ code }) => code)).toEqual(FINDINGS[id]);
});

it('toRequestTimes() finds the attempt time of each request that belongs to a delivery', () => {
  const event = 'verification.completed';
  const at = (...times: string[]) => times.map((startedAt) => ({ startedAt }));
  const deliveries = [
    { eventId: 'e1', event, sessionId: 's1', attempts: at('10:00', '10:05', '11:00') },
    { eventId: 'e2', event, sessionId: 's2', attempts: at('10:01') },
  ] as const;
  const request = (n: number, eventId: string | null, sessionId = 's1') => ({
    n,
    eventId,
    event,
    sessionId,
  });
  // The receiver has deleted the oldest request of e1. The request without an event id is matched by its
  // event and session.
  const requests = [request(4, 'e1'), request(3, null, 's2'), request(2, 'e1'), request(1, 'test')];
  expect([...toRequestTimes(requests, deliveries)]).toEqual([
    [4, '11:00'],
    [2, '10:05'],
    [3, '10:01'],
  ]);
});

describe('foldAlike()', () => {
  const request = (n: number, answer: string, eventId = 'a') => ({
    n,
    eventId,
    answer,
    event: 'verification.completed',
    sessionId: 's',
    signature: 'valid' as const,
    work: 'none' as const,
  });

  it('groups consecutive requests of one event with the same answer', () => {
    const requests = [
      request(6, '200'),
      request(5, '401'),
      request(4, '401'),
      request(3, '401', 'b'),
      request(2, '401'),
    ];
    const groups = foldAlike(requests).map((group) => group.map(({ n }) => n));
    expect(groups).toEqual([[6], [5, 4], [3], [2]]);
  });
});
