import { ok, STRING, type ContractCase } from './case.ts';
import { CREATE, post, postText, RETURN_URL, type World } from './world.ts';
import { create, created } from './create-calls.ts';

function jsonHeaders({ sk }: World): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${sk}` };
}

/** A good body of exactly so many bytes. */
function padded(bytes: number): string {
  const body = JSON.stringify(ok({ externalUserId: '' }));
  return JSON.stringify(ok({ externalUserId: 'x'.repeat(bytes - body.length) }));
}

/** One byte a character, as a system of another age sends it. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Invalid bodies, and unusual but valid ones. */
export const BODY_CASES: readonly ContractCase[] = [
  {
    name: 'several things wrong',
    why: 'all are said at once, unknown properties first',
    call: create({
      sessionToken: 'x',
      returnUrl: 5,
      cancelUrl: 'nowhere',
      merchantName: 1,
      externalUserId: {},
      verificationMode: 'L3',
      challengeAge: 18,
      faceMatchEnabled: 'yes',
      minAge: 18,
    }),
    status: 400,
    message: [
      'property sessionToken should not exist',
      'property minAge should not exist',
      'returnUrl must be a URL address',
      'cancelUrl must be a URL address',
      'merchantName must be a string',
      'externalUserId must be a string',
      'verificationMode must be one of the following values: L1, L2',
      'challengeAge must not be less than 25',
      'faceMatchEnabled must be a boolean value',
    ],
  },
  {
    name: 'an age of 24',
    why: 'just below the range',
    call: create(ok({ challengeAge: 24 })),
    status: 400,
    message: ['challengeAge must not be less than 25'],
  },
  {
    name: 'an age of 25',
    why: 'the lowest of the range',
    call: create(ok({ challengeAge: 25 })),
    status: 201,
    body: created(),
  },
  {
    name: 'an age of 99',
    why: 'the highest of the range',
    call: create(ok({ challengeAge: 99 })),
    status: 201,
    body: created(),
  },
  {
    name: 'an age of 100',
    why: 'just above the range',
    call: create(ok({ challengeAge: 100 })),
    status: 400,
    message: ['challengeAge must not be greater than 99'],
  },
  {
    name: 'an age as text',
    why: 'JSON has numbers',
    call: create(ok({ challengeAge: '30' })),
    status: 400,
    message: ['challengeAge must be a number conforming to the specified constraints'],
  },
  {
    name: 'properties that every object seems to have',
    why: 'prototype pollution gets nowhere',
    call: ({ sk }) =>
      postText(
        CREATE,
        `{"returnUrl":"${RETURN_URL}","__proto__":{"admin":true},"constructor":{},"toString":1}`,
        {
          'content-type': 'application/json',
          authorization: `Bearer ${sk}`,
        },
      ),
    status: 400,
    message: [
      'property __proto__ should not exist',
      'property constructor should not exist',
      'property toString should not exist',
    ],
  },
  {
    name: 'an array as the body',
    why: 'JSON, but no object',
    call: ({ sk }) => post(CREATE, [ok()], sk),
    status: 400,
    message: 'Request body must be a JSON object',
  },
  {
    name: 'null as the body',
    why: 'JSON, but no object',
    call: ({ sk }) => post(CREATE, null, sk),
    status: 400,
    message: 'Request body must be a JSON object',
  },
  {
    name: 'half a body',
    why: 'no JSON',
    call: ({ sk }) =>
      postText(CREATE, '{"returnUrl":', {
        'content-type': 'application/json',
        authorization: `Bearer ${sk}`,
      }),
    status: 400,
    message: 'Request body must be valid JSON',
  },
  {
    name: 'a form',
    why: 'the API takes JSON alone',
    call: ({ sk }) =>
      postText(CREATE, 'returnUrl=x', {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Bearer ${sk}`,
      }),
    status: 415,
    message: 'Content-Type must be application/json',
  },
  {
    name: 'JSON that says it is UTF-16',
    why: 'JSON between systems is UTF-8 (RFC 8259)',
    call: (world) =>
      postText(CREATE, JSON.stringify(ok()), {
        ...jsonHeaders(world),
        'content-type': 'application/json; charset=utf-16',
      }),
    status: 415,
    message: 'Content-Type must be application/json in UTF-8, got charset "utf-16"',
  },
  {
    name: 'JSON that says it is UTF-8',
    why: 'the one charset there is, in any spelling',
    call: (world) =>
      postText(CREATE, JSON.stringify(ok()), {
        ...jsonHeaders(world),
        'content-type': 'application/json; charset="UTF-8"',
      }),
    status: 201,
    body: created(),
  },
  {
    name: 'bytes that are not UTF-8',
    why: 'an externalUserId must come back as it was sent',
    call: ({ sk }) => ({
      path: CREATE,
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sk}` },
        body: latin1(JSON.stringify(ok({ externalUserId: 'J\u00fcrgen' }))),
      },
    }),
    status: 400,
    message: 'Request body must be valid UTF-8',
  },
  {
    name: 'U+FFFD in UTF-8',
    why: 'a character like any other',
    call: create(ok({ externalUserId: 'a\ufffdb' })),
    status: 201,
    body: created({ externalUserId: 'a\ufffdb' }),
  },
  {
    name: 'a body of 64 KiB',
    why: 'the largest that is read',
    call: (world) => postText(CREATE, padded(65_536), jsonHeaders(world)),
    status: 201,
    body: created({ externalUserId: STRING }),
  },
  {
    name: 'a body of 64 KiB and a byte',
    why: 'the smallest that is not',
    call: (world) => postText(CREATE, padded(65_537), jsonHeaders(world)),
    status: 413,
    message: 'Request body must not be larger than 65536 bytes',
  },
  {
    name: 'deep JSON',
    why: 'no stack to overflow',
    call: (world) =>
      postText(CREATE, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, jsonHeaders(world)),
    status: 400,
    message: [
      'property a should not exist',
      'returnUrl should not be empty',
      'returnUrl must be a URL address',
    ],
  },
];
