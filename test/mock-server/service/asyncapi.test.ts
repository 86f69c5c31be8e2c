import asyncApi from '@asyncapi/specs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { createMockService } from 'ofage-mock';
import { EVENT_KINDS } from 'ofage-mock/client';
import { describe, expect, it } from 'vitest';
import { aMock, HOOK } from '../../support/a-mock.ts';

interface Described {
  readonly asyncapi: string;
  readonly operations: Record<string, { channel: object; messages: readonly object[] }>;
  readonly components: {
    readonly messages: Record<string, { payload: Shape; examples: readonly { payload: object }[] }>;
    readonly messageTraits: { readonly signed: { readonly headers: object } };
  };
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
}

async function readDocument(): Promise<Described> {
  const service = createMockService();
  const response = await service.fetch(new Request('http://127.0.0.1:4010/asyncapi.json'));
  await service.close();
  expect(response.status).toBe(200);
  return (await response.json()) as Described;
}

const document = await readDocument();
const { messages, messageTraits } = document.components;

describe('/asyncapi.json', () => {
  it('is a valid AsyncAPI 3 document', () => {
    // The official schema contains the meta-schema of its draft, so Ajv must not add one.
    const ajv = new Ajv({ strict: false, allErrors: true, meta: false });
    addFormats.default(ajv);
    expect(document.asyncapi).toBe('3.0.0');
    const validate = ajv.compile(asyncApi.schemas['3.0.0'] as object);
    validate(document);
    expect(ajv.errorsText(validate.errors)).toBe('No errors');
    const [kind] = EVENT_KINDS;
    const wrong = { ...document.operations[kind!], action: 'post' };
    expect(validate({ ...document, operations: { [kind!]: wrong } })).toBe(false);
  });

  it('describes one operation and one message for every kind of event', () => {
    expect(Object.keys(document.operations)).toEqual(EVENT_KINDS);
    expect(Object.keys(messages)).toEqual(EVENT_KINDS);
  });

  it('has only valid references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(EVENT_KINDS.length);
    for (const [, path = ''] of references) expect(document).toHaveProperty(path.split('/'));
  });

  it.each(EVENT_KINDS)('has an example of %s that matches its schema', (kind) => {
    const [example] = messages[kind]?.examples ?? [];
    expect(findViolation(messages[kind]?.payload, example?.payload)).toBeNull();
  });

  it('describes every property of every webhook that the service sends', async () => {
    const { bodies, headers } = await sendEverything();
    expect(bodies.map(({ event }) => event)).toEqual(expect.arrayContaining([...EVENT_KINDS]));
    expect(bodies.some(({ test }) => test)).toBe(true);
    for (const body of bodies) {
      const { payload } = messages[body.event]!;
      // A test event must match the schema of its kind too.
      expect(findViolation(payload, body), JSON.stringify(body)).toBeNull();
      expect(Object.keys(payload.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(body)),
      );
      expect(Object.keys(payload.properties?.['data']?.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(body.data)),
      );
    }
    for (const one of headers)
      expect(findViolation(messageTraits.signed.headers, one), JSON.stringify(one)).toBeNull();
  });
});

function findViolation(schema: object = {}, value: unknown): string | null {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.validate(schema, value) ? null : ajv.errorsText(ajv.errors);
}

interface Sent {
  readonly event: string;
  readonly test: boolean;
  readonly data: object;
}

/** Triggers events of each kind, with and without an external user id, and sends a test event. */
async function sendEverything() {
  const { control, clock, tenantId, sent } = await aMock({ endpoints: [{ url: HOOK }] });
  for (const name of EVENT_KINDS) {
    await control.trigger({ name });
    await control.trigger({ name, externalUserId: 'anna' });
  }
  await clock.advance(600_000);
  const [endpoint] = await control.endpoints(tenantId);
  await control.testEndpoint(endpoint!.id);
  return {
    bodies: sent.map(({ body }) => JSON.parse(body) as Sent),
    headers: sent.map(({ headers }) => headers),
  };
}
