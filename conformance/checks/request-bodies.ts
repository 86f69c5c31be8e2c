import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { bearer, CREATE, JSON_TYPE, post, postText, VALIDATE } from '../exchange.ts';
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

const PATHS = [
  ['create', CREATE],
  ['validate', VALIDATE],
] as const;

const NOT_OBJECTS = PATHS.flatMap(([name, path]) =>
  (
    [
      ['array', '[{}]'],
      ['null', 'null'],
      ['string', '"x"'],
      ['number', '7'],
    ] as const
  ).map(([type, text]): Case => ({
    id: `${name}.${type}`,
    sentence: `The ${name} body ${text} is refused, because it is not a JSON object`,
    call: (world) => postText(path, text, jsonHeaders(world)),
    status: 400,
    message: 'Request body must be a JSON object',
  })),
);

const NOT_JSON = PATHS.flatMap(([name, path]): Case[] => [
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
]);

const ENCODINGS: readonly Case[] = [
  {
    id: 'charset.utf-16',
    sentence: 'JSON with the charset UTF-16 is refused, because JSON is UTF-8 (RFC 8259)',
    level: 'reading',
    call: (world) =>
      postText(CREATE, create()(world).body ?? '', {
        ...jsonHeaders(world),
        'content-type': 'application/json; charset=utf-16',
      }),
    status: 415,
    message: 'Content-Type must be application/json in UTF-8, got charset "utf-16"',
  },
  ...(
    [
      ['plain', 'application/json; charset=utf-8'],
      ['quoted', 'application/json; charset="UTF-8"'],
    ] as const
  ).map(([name, type]): Case => ({
    id: `charset.utf-8.${name}`,
    sentence: `The Content-Type ${type} is accepted`,
    call: (world) =>
      postText(CREATE, create()(world).body ?? '', { ...jsonHeaders(world), 'content-type': type }),
    status: 201,
    body: created(),
  })),
  {
    id: 'not-utf-8',
    sentence:
      'A body that is not valid UTF-8 is refused, because an externalUserId must be returned unchanged',
    level: 'reading',
    call: (world) =>
      postText(
        CREATE,
        latin1(
          JSON.stringify({ returnUrl: world.account.returnUrl, externalUserId: 'J\u00fcrgen' }),
        ),
        jsonHeaders(world),
      ),
    status: 400,
    message: 'Request body must be valid UTF-8',
  },
];

const UNUSUAL: readonly Case[] = [
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
    call: () => post(CREATE, { nonsense: true }),
    status: 401,
    message: 'API key required',
  },
  {
    id: 'order.validate.key-first',
    sentence: 'The kind of key is checked before the body of a validate request',
    level: 'reading',
    call: ({ pk }) => post(VALIDATE, { x: 1 }, pk),
    status: 401,
    message: 'Private API key required for session validation',
  },
];

/** Checks of the JSON, the encoding and the size of request bodies. */
export const BODY_CHECKS: readonly Check[] = toChecks('Errors', 'body', [
  ...NOT_OBJECTS,
  ...NOT_JSON,
  ...ENCODINGS,
  ...UNUSUAL,
]);
