import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { bearer, CREATE, JSON_TYPE, post, postText, VALIDATE, type Call } from '../exchange.ts';
import { TEXT } from '../matchers.ts';
import type { World } from '../world.ts';
import { create, created } from './bodies.ts';

const jsonHeaders = ({ sk }: World): Record<string, string> => ({ ...JSON_TYPE, ...bearer(sk) });

/** Returns a valid body of exactly the given number of bytes. */
function padded({ account: { returnUrl } }: World, bytes: number): string {
  const { length } = JSON.stringify({ returnUrl, externalUserId: '' });
  return JSON.stringify({ returnUrl, externalUserId: 'x'.repeat(bytes - length) });
}

/** Encodes text with one byte per character (Latin-1), as old systems do. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns a function that builds a valid create request with this Content-Type. */
const withType =
  (type: string) =>
  (world: World): Call =>
    postText(CREATE, create()(world).body ?? '', { ...jsonHeaders(world), 'content-type': type });

const ON_BOTH = Object.entries({ create: CREATE, validate: VALIDATE }).flatMap(
  ([name, path]): Case[] => [
    {
      id: `${name}.not-an-object`,
      sentence: `A ${name} body that is not a JSON object is refused`,
      examples: toExamples({ array: '[{}]', null: 'null', string: '"x"', number: '7' }, (text) => ({
        call: (world) => postText(path, text, jsonHeaders(world)),
      })),
      status: 400,
      message: 'Request body must be a JSON object',
    },
    {
      id: `${name}.truncated`,
      sentence: `A truncated ${name} body is refused`,
      call: (world) => postText(path, '{"returnUrl":', jsonHeaders(world)),
      status: 400,
      message: 'Request body must be valid JSON',
    },
    {
      id: `${name}.form`,
      sentence: `A ${name} request with a form body is refused, because the API accepts only JSON`,
      level: 'reading',
      call: ({ sk }) =>
        postText(path, 'returnUrl=x', {
          'content-type': 'application/x-www-form-urlencoded',
          ...bearer(sk),
        }),
      status: 415,
      message: 'Content-Type must be application/json',
    },
  ],
);

const ROWS: readonly Case[] = [
  {
    id: 'charset.utf-16',
    sentence: 'JSON with the charset UTF-16 is refused, because JSON is UTF-8 (RFC 8259)',
    level: 'reading',
    call: withType('application/json; charset=utf-16'),
    status: 415,
    message: 'Content-Type must be application/json in UTF-8, got charset "utf-16"',
  },
  {
    id: 'charset.utf-8',
    sentence: 'The Content-Type application/json is accepted with the charset UTF-8',
    level: 'should',
    examples: toExamples({ plain: 'utf-8', quoted: '"UTF-8"' }, (charset) => ({
      call: withType(`application/json; charset=${charset}`),
    })),
    status: 201,
    body: created(),
  },
  {
    id: 'not-utf-8',
    sentence:
      'A body that is not valid UTF-8 is refused, because an externalUserId must be returned unchanged',
    level: 'reading',
    call(world) {
      const body = { returnUrl: world.account.returnUrl, externalUserId: 'J\u00fcrgen' };
      return postText(CREATE, latin1(JSON.stringify(body)), jsonHeaders(world));
    },
    status: 400,
    message: 'Request body must be valid UTF-8',
  },
  {
    id: 'size.limit',
    sentence: 'A body of exactly 64 KiB is accepted',
    level: 'reading',
    call: (world) => postText(CREATE, padded(world, 65_536), jsonHeaders(world)),
    status: 201,
    body: created({ externalUserId: TEXT }),
  },
  {
    id: 'size.above',
    sentence: 'A body of 64 KiB and one byte is refused',
    level: 'reading',
    call: (world) => postText(CREATE, padded(world, 65_537), jsonHeaders(world)),
    status: 413,
    message: 'Request body must not be larger than 65536 bytes',
  },
  {
    id: 'nested',
    sentence: 'Deeply nested JSON does not overflow the stack',
    call: (world) =>
      postText(CREATE, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, jsonHeaders(world)),
    // The message may name the unknown property or the nesting.
    status: 400,
  },
  {
    id: 'inherited-names',
    sentence:
      'A property with the name of an inherited object property is refused as unknown (prototype pollution)',
    call: (world) =>
      postText(
        CREATE,
        `{"returnUrl":"${world.account.returnUrl}","__proto__":{"admin":true},"constructor":{},"toString":1}`,
        jsonHeaders(world),
      ),
    status: 400,
    message: [
      'property __proto__ should not exist',
      'property constructor should not exist',
      'property toString should not exist',
    ],
    messageLevel: 'must',
  },
  {
    id: 'order.key-first',
    sentence: 'The key is checked before the body',
    level: 'reading',
    examples: {
      create: { call: () => post(CREATE, { nonsense: true }), message: 'API key required' },
      validate: {
        call: ({ pk }) => post(VALIDATE, { x: 1 }, pk),
        message: 'Private API key required for session validation',
      },
    },
    status: 401,
  },
];

/** Checks of the JSON, the encoding and the size of request bodies. */
export const BODY_CHECKS: readonly Check[] = toChecks('Errors', 'body', [...ON_BOTH, ...ROWS]);
