import { Validator } from '@seriousme/openapi-schema-validator';
import { createMockService } from 'ofage-mock';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppParts, createApp } from '../../../mock-server/service/http/app.ts';
import { OPERATIONS } from '../../../mock-server/service/http/openapi.ts';
import { jsonHeaders } from '../../support/api.ts';
import { createSenderReceiver } from '../../conformance/receivers.ts';
import { bodiesToTry } from './bodies-to-try.ts';
import { createRows } from './rows-of-every-kind.ts';
import {
  createSchemaChecker,
  readDocument,
  type Described,
  type SchemaChecker,
} from './described.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const operations = Object.values(OPERATIONS).flat();

describe('/openapi.json', () => {
  let document: Described;
  let checker: SchemaChecker;
  let service: ReturnType<typeof createMockService>;
  beforeAll(async () => {
    document = await readDocument();
    checker = createSchemaChecker(document);
  });
  // A request of one test, such as a move of the clock, must not change the response to another.
  beforeEach(() => {
    service = createMockService({
      endpoints: [{ url: 'https://shop.example/webhooks' }],
      sender: createSenderReceiver().sender,
    });
  });
  afterEach(() => service.close());

  /** The documents themselves, and what only the mock's own script sends. */
  const UNDESCRIBED = ['GET /openapi.json', 'GET /asyncapi.json', 'POST /reports/v1'];

  it('lists every route of the service, and no others', () => {
    // createApp() adds all routes before it uses any part, so an empty object is enough.
    const { routes } = createApp({} as AppParts);
    const known = routes
      .filter(({ method }) => !['ALL', 'OPTIONS'].includes(method))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter((route) => !UNDESCRIBED.includes(route));
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual([...new Set(known)].sort());
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const valid = await new Validator().validate({ ...structuredClone(document) });
    expect(valid).toEqual({ valid: true });
    const [path = '', operations] = Object.entries(document.paths)[0] ?? [];
    const wrong = { ...document, paths: { [path.slice(1)]: operations } };
    expect((await new Validator().validate(wrong)).valid).toBe(false);
  });

  it('has only valid references and unique operation ids', () => {
    const text = JSON.stringify(document);
    const { schemas, headers } = document.components;
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      expect(kind === 'schemas' ? schemas : headers, `${kind}/${name}`).toHaveProperty(name ?? '');
    }
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids).toHaveLength(operations.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has an example for every request body except that of PUT /snapshot', () => {
    const without = operations.filter(({ body, example }) => body && !example);
    // The body of PUT /snapshot is the response of GET /snapshot.
    expect(without.map(({ path }) => path)).toEqual(['/control/v1/snapshot']);
  });

  it('lists 413 and 415 only for operations that read a body', () => {
    for (const { method, path, body, refusals } of operations) {
      const listed = Object.keys(document.paths[path]?.[method]?.responses ?? {});
      expect(listed.includes('415'), `${method} ${path}`).toBe(Boolean(body));
      expect(listed.includes('413')).toBe(Boolean(body) || refusals.includes(413));
    }
  });

  it.each(operations.filter(({ path }) => !path.endsWith('/stream')))(
    '$method $path works with its example, and responds as described',
    async ({ method, path, idOf, example, security, success }) => {
      const facts = await setScene(idOf, path.endsWith('/retry'));
      const target = path.replace('{id}', facts.id);
      const body = path.endsWith('/snapshot') && method === 'put' ? await saved() : example;
      const sent = body && JSON.parse(JSON.stringify(body).replace('<sessionId>', facts.sessionId));
      if (sent) expect(checker.request(method, target, sent)).toBeNull();
      const isPage = security === 'sessionToken';
      const response = await service.fetch(
        new Request(ORIGIN + target, {
          method: method.toUpperCase(),
          headers: jsonHeaders(isPage ? facts.sessionToken : facts.secretKey),
          ...(sent && { body: JSON.stringify(sent) }),
        }),
      );
      expect(
        await response
          .clone()
          .text()
          .then((text) => text.slice(0, 300)),
      ).not.toContain('"statusCode"');
      expect(response.status).toBe(success);
      expect(await checker.response(method, target, response)).toBeNull();
    },
  );

  it.each(operations.filter(({ body, path }) => body && !path.endsWith('/snapshot')))(
    'agrees with $method $path on which bodies are valid, apart from the listed exceptions',
    async ({ method, path, idOf, example = {}, security }) => {
      const my = createMockService({
        tenant: { allowedDomains: ['shop.example'], rateLimits: PLENTY },
      });
      const facts = await setScene(idOf, false, my);
      const schema =
        document.paths[path]?.[method]?.requestBody?.content['application/json'].schema ?? {};
      const base: object = JSON.parse(
        JSON.stringify(example).replace('<sessionId>', facts.sessionId),
      );
      const different: unknown[] = [];
      for (const body of bodiesToTry(schema, base)) {
        const sent = JSON.stringify(body);
        const response = await my.fetch(
          new Request(ORIGIN + path.replace('{id}', facts.id), {
            method: method.toUpperCase(),
            headers: jsonHeaders(
              security === 'sessionToken' ? facts.sessionToken : facts.secretKey,
            ),
            body: sent,
          }),
        );
        const { message } = (await response.json()) as { message?: string | string[] };
        const described = checker.request(method, path, JSON.parse(sent));
        const isSame =
          response.status === 400
            ? described !== null || [message].flat().every(isBeyondSchema)
            : // The document requires RFC 3986, but the service also accepts other URLs that browsers accept.
              described === null ||
              described.startsWith(`${described.split(' ')[0]} must match format "uri"`);
        if (!isSame) different.push({ sent, message, described });
      }
      expect(different).toEqual([]);
      await my.close();
    },
  );

  it('the checker detects requests and responses that are not as described', async () => {
    const wrong = Response.json({ items: [], next: null, more: 1 });
    expect(await checker.response('GET', '/control/v1/sessions', wrong)).toMatch(/additional/);
    const unknown = new Response(null, { status: 418 });
    expect(await checker.response('GET', '/control/v1/sessions', unknown)).toMatch(/418/);
    expect(checker.request('POST', '/control/v1/faults', { operation: 'x' })).toMatch(/fault/);
  });

  /** Creates a row of every kind and a session, and returns the id for the operation's path. */
  async function setScene(
    idOf: (typeof operations)[number]['idOf'],
    isRetry: boolean,
    of = service,
  ) {
    const { secretKey } = await of.ready;
    const rows = await createRows(of);
    const response = await of.fetch(
      new Request(`${ORIGIN}/api/v1/sessions/create`, {
        method: 'POST',
        headers: jsonHeaders(secretKey),
        body: JSON.stringify({ returnUrl: 'http://localhost/', externalUserId: 'anna' }),
      }),
    );
    const { sessionId, sessionToken } = (await response.json()) as Record<string, string>;
    if (sessionToken && isRetry) await poorImage(sessionToken);
    const ids = { ...rows, session: sessionId ?? '' };
    return {
      id: idOf ? ids[idOf] : '',
      sessionId: ids.session,
      sessionToken: sessionToken ?? '',
      secretKey,
    };
  }

  async function poorImage(sessionToken: string): Promise<void> {
    await service.fetch(
      new Request(`${ORIGIN}/hosted/v1/submit`, {
        method: 'POST',
        headers: jsonHeaders(sessionToken),
        body: '{"imageQuality":"poor"}',
      }),
    );
  }

  const saved = () => service.control.snapshot();
});

/**
 * Errors that JSON Schema cannot express, because they compare fields, or depend on the account, the clock,
 * the calendar or the network.
 */
const BEYOND_SCHEMA = [
  /domain not allowed$/,
  /^merchantId does not match/,
  /^pairId must be the id of a key pair of this account$/,
  /^Time only moves forward/,
  /^url must (use https|lead to a public|have a host name)/,
  /, which needs a session with face match enabled$/,
];
const PLENTY = { create: 1_000_000, validate: 1_000_000 };
const isBeyondSchema = (sentence: string | undefined): boolean =>
  BEYOND_SCHEMA.some((pattern) => pattern.test(sentence ?? ''));
