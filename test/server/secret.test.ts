import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/server/secret.ts';
import { aClient, envelope, json, rejectionOf, returnUrl } from './an-api.ts';
import { SECRET_KEY, SESSION_ID, sessionBody } from './builders.ts';

/** Returns all representations of a value that a log, a crash report or a debugger could print. */
function everyPrint(value: unknown): string {
  const deep = { depth: 20, showHidden: true, getters: true };
  const own = typeof value === 'object' && value !== null ? Object.getOwnPropertyNames(value) : [];
  const parts = own.map((name) => inspect((value as Record<string, unknown>)[name], deep));
  const { stack, cause } = value as { stack?: string; cause?: unknown };
  return [
    inspect(value, deep),
    inspect(value),
    JSON.stringify(value),
    JSON.stringify({ value }),
    String(value),
    `${stack}`,
    inspect(cause, deep),
    ...parts,
  ].join('\n');
}

it('everyPrint() finds the secret key in a value that contains it', () => {
  expect(everyPrint({ nested: { key: SECRET_KEY } })).toContain(SECRET_KEY);
  expect(everyPrint(new Error('x', { cause: { h: SECRET_KEY } }))).toContain(SECRET_KEY);
});

describe('the secret key does not appear', () => {
  it('in a client', () => {
    const client = createClient({ secretKey: SECRET_KEY });
    expect(everyPrint(client)).not.toContain(SECRET_KEY);
    expect(structuredCloneOrText(client)).not.toContain(SECRET_KEY);
    expect(Object.isFrozen(client)).toBe(true);
  });

  it('in its Secret object', () => {
    const secret = new Secret(SECRET_KEY);
    expect(everyPrint(secret)).not.toContain(SECRET_KEY);
    expect(`${secret}`).toBe('[redacted]');
    expect(JSON.stringify({ secret })).toBe('{"secret":"[redacted]"}');
    expect(inspect({ secret })).toBe('{ secret: [redacted] }');
  });

  it.each<[where: string, answer: (response: ServerResponse) => void]>([
    ['in its message', json(401, envelope(401, `Invalid API key ${SECRET_KEY}`))],
    ['in a list', json(400, envelope(400, [`${SECRET_KEY} is wrong`, `key=${SECRET_KEY}`]))],
    ['in its code', json(503, envelope(503, SECRET_KEY, { code: SECRET_KEY, error: SECRET_KEY }))],
    ['outside of JSON', (response) => void response.end(`<p>${SECRET_KEY}</p>`)],
  ])('in an error when the service repeats it %s', async (_, answer) => {
    const { client } = await aClient(answer);
    const error = await rejectionOf(client.createSession({ returnUrl }));
    expect(everyPrint(error)).not.toContain(SECRET_KEY);
  });

  it('in the cause when fetch throws an error that contains the request', async () => {
    const fetch = async (_url: string, init: object): Promise<never> => {
      const inner = Object.assign(new Error(`with ${JSON.stringify(init)}`), { init });
      throw Object.assign(new TypeError(`failed: ${SECRET_KEY}`, { cause: inner }), {
        config: init,
        code: 'ECONNREFUSED',
      });
    };
    const client = createClient({ secretKey: SECRET_KEY, fetch });
    const error = await rejectionOf(client.createSession({ returnUrl }));
    expect(everyPrint(error)).not.toContain(SECRET_KEY);
    // The details that help to find the cause remain.
    expect(error).toMatchObject({
      cause: { name: 'TypeError', message: 'failed: [redacted]', code: 'ECONNREFUSED' },
    });
  });

  it.each([
    { why: 'text', thrown: `no route for ${SECRET_KEY}` },
    { why: 'an object', thrown: { headers: { authorization: SECRET_KEY } } },
    { why: 'an error that is its own cause', thrown: circular() },
  ])('in the cause when fetch throws $why', async ({ thrown }) => {
    const fetch = (): Promise<never> => Promise.reject(thrown);
    const client = createClient({ secretKey: SECRET_KEY, fetch });
    const error = await rejectionOf(client.validateSession(SESSION_ID));
    expect(everyPrint(error)).not.toContain(SECRET_KEY);
    expect(error).toMatchObject({ code: 'network_error' });
  });

  it.each<[where: string, input: { returnUrl: string; [field: string]: unknown }]>([
    ['as returnUrl', { returnUrl: SECRET_KEY }],
    ['at the end of a long value', { returnUrl: `${'x'.repeat(60)}${SECRET_KEY}` }],
    ['as a field name', { returnUrl, [SECRET_KEY]: 1 }],
    ['as verificationMode', { returnUrl, verificationMode: SECRET_KEY as 'L1' }],
  ])('in an error about an input that contains it %s', async (_, input) => {
    const { client } = await aClient(json(201, sessionBody()));
    const printed = everyPrint(await rejectionOf(client.createSession(input)));
    expect(printed).not.toContain(SECRET_KEY.slice(0, 16));
  });

  it.each([
    ['with white space', { secretKey: `${SECRET_KEY} ` }],
    ['as baseUrl', { secretKey: SECRET_KEY, baseUrl: SECRET_KEY }],
    ['in baseUrl', { secretKey: SECRET_KEY, baseUrl: `https://a/?key=${SECRET_KEY}` }],
    ['as the name of an option', { secretKey: SECRET_KEY, [SECRET_KEY]: 1 }],
  ])('in an error about options that contain it %s', async (_, options) => {
    const error = await rejectionOf(Promise.resolve().then(() => createClient(options)));
    expect(everyPrint(error)).not.toContain(SECRET_KEY);
  });
});

function circular(): Error {
  const error = new Error(SECRET_KEY);
  error.cause = error;
  return error;
}

function structuredCloneOrText(value: unknown): string {
  try {
    return inspect(structuredClone(value));
  } catch (error) {
    return String(error);
  }
}
