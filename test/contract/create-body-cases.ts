import { ok, STRING, type ContractCase } from './case.ts';
import { CREATE, post, postText, RETURN_URL, type World } from './world.ts';
import { create, created } from './create-calls.ts';

function jsonHeaders({ sk }: World): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${sk}` };
}

/** Returns a valid body of exactly the given number of bytes. */
function padded(bytes: number): string {
  const body = JSON.stringify(ok({ externalUserId: '' }));
  return JSON.stringify(ok({ externalUserId: 'x'.repeat(bytes - body.length) }));
}

/** Encodes text with one byte per character (Latin-1), as old systems do. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Invalid bodies, and unusual but valid ones. */
export const BODY_CASES: readonly ContractCase[] = [
  {
    name: 'several mistakes',
    why: 'all are reported at once, unknown properties first',
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
    why: 'the lower end of the range',
    call: create(ok({ challengeAge: 25 })),
    status: 201,
    body: created(),
  },
  {
    name: 'an age of 99',
    why: 'the upper end of the range',
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
    name: 'an age as a string',
    why: 'the age must be a number',
    call: create(ok({ challengeAge: '30' })),
    status: 400,
    message: ['challengeAge must be a number conforming to the specified constraints'],
  },
  {
    name: 'names of inherited object properties',
    why: 'prototype pollution must be impossible',
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
    why: 'valid JSON but not an object',
    call: ({ sk }) => post(CREATE, [ok()], sk),
    status: 400,
    message: 'Request body must be a JSON object',
  },
  {
    name: 'null as the body',
    why: 'valid JSON but not an object',
    call: ({ sk }) => post(CREATE, null, sk),
    status: 400,
    message: 'Request body must be a JSON object',
  },
  {
    name: 'a truncated body',
    why: 'not valid JSON',
    call: ({ sk }) =>
      postText(CREATE, '{"returnUrl":', {
        'content-type': 'application/json',
        authorization: `Bearer ${sk}`,
      }),
    status: 400,
    message: 'Request body must be valid JSON',
  },
  {
    name: 'a form body',
    why: 'the API accepts only JSON',
    call: ({ sk }) =>
      postText(CREATE, 'returnUrl=x', {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Bearer ${sk}`,
      }),
    status: 415,
    message: 'Content-Type must be application/json',
  },
  {
    name: 'JSON with the charset UTF-16',
    why: 'JSON must be UTF-8 (RFC 8259)',
    call: (world) =>
      postText(CREATE, JSON.stringify(ok()), {
        ...jsonHeaders(world),
        'content-type': 'application/json; charset=utf-16',
      }),
    status: 415,
    message: 'Content-Type must be application/json in UTF-8, got charset "utf-16"',
  },
  {
    name: 'JSON with the charset UTF-8',
    why: 'the only valid charset, in any notation',
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
    why: 'an externalUserId must be returned unchanged',
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
    why: 'a valid character',
    call: create(ok({ externalUserId: 'a\ufffdb' })),
    status: 201,
    body: created({ externalUserId: 'a\ufffdb' }),
  },
  {
    name: 'a body of 64 KiB',
    why: 'exactly the limit',
    call: (world) => postText(CREATE, padded(65_536), jsonHeaders(world)),
    status: 201,
    body: created({ externalUserId: STRING }),
  },
  {
    name: 'a body of 64 KiB and one byte',
    why: 'one byte above the limit',
    call: (world) => postText(CREATE, padded(65_537), jsonHeaders(world)),
    status: 413,
    message: 'Request body must not be larger than 65536 bytes',
  },
  {
    name: 'deeply nested JSON',
    why: 'it must not overflow the stack',
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
