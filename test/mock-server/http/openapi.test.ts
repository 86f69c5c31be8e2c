import { createMockService } from 'ofage/mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, type AppParts } from '../../../mock-server/http/app.ts';
import { OPERATIONS } from '../../../mock-server/http/openapi/document.ts';
import { createSenderReceiver } from '../../contract/receiver.ts';
import { contractSuite } from '../../contract/suite.ts';
import { bodiesToTry } from './bodies-to-try.ts';
import { createJudge, type Described, type Judge } from './described.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const operations = Object.values(OPERATIONS).flat();

async function readDocument(): Promise<Described> {
  const service = createMockService();
  const response = await service.fetch(new Request(`${ORIGIN}/openapi.json`));
  await service.close();
  expect(response.status).toBe(200);
  return (await response.json()) as Described;
}

/** Every answer of the contract's cases, whatever its status, is held against the document. */
contractSuite('as /openapi.json describes it', async () => {
  const judge = createJudge(await readDocument());
  const { sender, receiver } = createSenderReceiver();
  const service = createMockService({ sender });
  return {
    async send(path, init) {
      const response = await service.fetch(new Request(`https://api.ofage.example${path}`, init));
      // Paths and methods that there are not are described by their absence.
      const isKnown = ![404, 405].includes(response.status) || path.endsWith('/validate');
      // A preflight is the browser's own business.
      if (isKnown && response.status !== 405 && init.method !== 'OPTIONS') {
        expect(await judge.response(init.method ?? 'GET', path, response)).toBeNull();
      }
      return response;
    },
    control: service.control,
    clock: service.clock,
    receiver,
    close: () => service.close(),
  };
});

describe('/openapi.json', () => {
  let document: Described;
  let judge: Judge;
  const service = createMockService({
    endpoints: [{ url: 'https://shop.example/webhooks' }],
    sender: createSenderReceiver().sender,
  });
  beforeAll(async () => {
    document = await readDocument();
    judge = createJudge(document);
  });
  afterAll(() => service.close());

  it('names every route of the service, and no other', () => {
    // Routes are added before anything is called.
    const { routes } = createApp({} as AppParts);
    const known = routes
      .filter(({ method }) => !['ALL', 'OPTIONS'].includes(method))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter((route) => route !== 'GET /openapi.json');
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual([...new Set(known)].sort());
  });

  it('has references that lead somewhere, and an id of its own for every operation', () => {
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

  it('has an example for every body', () => {
    const without = operations.filter(({ body, example }) => body && !example);
    // A snapshot is what GET /snapshot answers.
    expect(without.map(({ path }) => path)).toEqual(['/control/v1/snapshot']);
  });

  it.each(operations.filter(({ path }) => !path.endsWith('/stream')))(
    '$method $path works with its example, and answers as described',
    async ({ method, path, idOf, example, security, success }) => {
      const facts = await setScene(idOf, path.endsWith('/retry'));
      const { origin } = new URL(ORIGIN);
      const target = path.replace('{id}', facts.id);
      const body = path.endsWith('/snapshot') && method === 'put' ? await saved() : example;
      const sent = body && JSON.parse(JSON.stringify(body).replace('<sessionId>', facts.sessionId));
      if (sent) expect(judge.request(method, target, sent)).toBeNull();
      const isPage = security === 'sessionToken';
      const response = await service.fetch(
        new Request(origin + target, {
          method: method.toUpperCase(),
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${isPage ? facts.sessionToken : facts.secretKey}`,
          },
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
      expect(await judge.response(method, target, response)).toBeNull();
    },
  );

  // A replay takes what /recording/check takes, and does it.
  const untried = /\/(snapshot|replay)$/;
  it.each(operations.filter(({ body, path }) => body && !untried.test(path)))(
    '$method $path takes and refuses the bodies that the document does',
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
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${security === 'sessionToken' ? facts.sessionToken : facts.secretKey}`,
            },
            body: sent,
          }),
        );
        const { message } = (await response.json()) as { message?: string | string[] };
        const described = judge.request(method, path, JSON.parse(sent));
        const isSame =
          response.status === 400
            ? described !== null || [message].flat().every(isBeyondSchema)
            : // The document asks for RFC 3986; the service takes what browsers take.
              described === null ||
              described.startsWith(`${described.split(' ')[0]} must match format "uri"`);
        if (!isSame) different.push({ sent, message, described });
      }
      expect(different).toEqual([]);
      await my.close();
    },
  );

  it('sees a response that is not as described', async () => {
    const wrong = Response.json({ items: [], next: null, more: 1 });
    expect(await judge.response('GET', '/control/v1/sessions', wrong)).toMatch(/additional/);
    const unknown = new Response(null, { status: 418 });
    expect(await judge.response('GET', '/control/v1/sessions', unknown)).toMatch(/418/);
    expect(judge.request('POST', '/control/v1/faults', { operation: 'x' })).toMatch(/fault/);
  });

  /** Something of everything, and the id that the operation's path takes. */
  async function setScene(
    idOf: (typeof operations)[number]['idOf'],
    isRetry: boolean,
    of = service,
  ) {
    const { control } = of;
    const { tenantId, secretKey } = await of.ready;
    await control.clearFaults();
    const response = await of.fetch(
      new Request(`${ORIGIN}/api/v1/sessions/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
        body: JSON.stringify({ returnUrl: 'http://localhost/', externalUserId: 'anna' }),
      }),
    );
    const { sessionId, sessionToken } = (await response.json()) as Record<string, string>;
    if (sessionToken && isRetry) await poorImage(sessionToken);
    // One that does no harm.
    const fault = { operation: 'hosted', fault: 'slow', delayMs: 0 } as const;
    const { id: faultId } = await control.addFault(fault);
    const { publishable } = await control.createKeyPair(tenantId);
    const [endpoint] = await control.endpoints(tenantId);
    const created = endpoint ?? (await control.createEndpoint(tenantId, { url: HOOKS }));
    const ids = {
      tenant: tenantId,
      key: publishable.id,
      session: sessionId ?? '',
      endpoint: created.id,
      fault: faultId,
      legacy: tenantId,
    };
    if (idOf === 'legacy') await control.putLegacyWebhook(tenantId, { url: HOOKS });
    return {
      id: idOf ? ids[idOf] : '',
      sessionId: sessionId ?? '',
      sessionToken: sessionToken ?? '',
      secretKey,
    };
  }

  async function poorImage(sessionToken: string): Promise<void> {
    await service.fetch(
      new Request(`${ORIGIN}/hosted/v1/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sessionToken}` },
        body: '{"imageQuality":"poor"}',
      }),
    );
  }

  const saved = () => service.control.snapshot();
});

/** Refusals by what is known beside the body: the account, the clock, the calendar, the network. */
const BEYOND_SCHEMA = [
  /domain not allowed$/,
  /^merchantId does not match/,
  /^pairId must be a key pair of this account$/,
  /^Time only moves forward/,
  /^url must (use https|lead to a public|have a host name)/,
  /, which needs a session with face match enabled$/,
  /^Cannot use the recording: (steps\.\d+\.atMs must not be before|durationMs must|it must not end)/,
];
const PLENTY = { create: 1_000_000, validate: 1_000_000 };
const isBeyondSchema = (sentence: string | undefined): boolean =>
  BEYOND_SCHEMA.some((pattern) => pattern.test(sentence ?? ''));

const HOOKS = 'https://shop.example/webhooks';
