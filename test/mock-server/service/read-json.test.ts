import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../mock-server/service/http/read-body.ts';
import { readJson } from '../../../mock-server/service/http/read-json.ts';

const post = (body: string): Request =>
  new Request('https://api.ofage.example/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

/** Removes the body stream, because requests in Firefox have none. */
const withoutStream = (request: Request): Request =>
  Object.defineProperty(request, 'body', { value: undefined });

describe.each([
  { engine: 'an engine with streams in requests', prepare: (request: Request) => request },
  { engine: 'Firefox', prepare: withoutStream },
])('readJson() in $engine', ({ prepare }) => {
  it('parses the body', async () => {
    expect((await readJson(prepare(post('{"a":"é"}')))).json()).toEqual({ a: 'é' });
  });

  it.each([
    ['gzip', 'Content-Encoding "gzip" is not supported: send the body without compression'],
    ['identity', null],
    ['', null],
  ])(
    'rejects a compressed body, but not Content-Encoding "%s" (%s)',
    async (encoding, sentence) => {
      const request = post('{}');
      request.headers.set('content-encoding', encoding);
      const read = await readJson(prepare(request));
      if (sentence === null) expect(read.json()).toEqual({});
      else expect(() => read.json()).toThrow(sentence);
    },
  );

  it('rejects more than 64 KiB', async () => {
    const text = (length: number) => JSON.stringify('x'.repeat(length - 2));
    const most = await readJson(prepare(post(text(MAX_BODY_BYTES))));
    expect(most.json()).toHaveLength(MAX_BODY_BYTES - 2);
    const read = await readJson(prepare(post(text(MAX_BODY_BYTES + 1))));
    expect(() => read.json()).toThrow('must not be larger');
  });

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['arrays and objects', '[{"a":', '}]'],
  ])('rejects more than 32 levels of %s', async (_what, open, close) => {
    const text = (levels: number) => {
      const times = levels / open.replaceAll(/[^[{]/g, '').length;
      return `${open.repeat(times)}1${close.repeat(times)}`;
    };
    const allowed = await readJson(prepare(post(text(32))));
    expect(allowed.json()).toEqual(JSON.parse(text(32)));
    for (const levels of [34, 1_200, 9_000]) {
      const read = await readJson(prepare(post(text(levels))));
      expect(() => read.json()).toThrow(
        'Request body must not have more than 32 arrays and objects inside each other',
      );
    }
  });
});

it('readJson() does not take a mistake of this program for an incomplete body', async () => {
  const request = post('{}');
  await request.text();
  await expect(readJson(request)).rejects.toThrow('already been read');
});

it('readJson() reports a body whose sender disconnects when the body is parsed', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"a":'));
      controller.error(new Error('ECONNRESET'));
    },
  });
  const init = { method: 'POST', body, duplex: 'half' };
  const read = await readJson(new Request('https://api.ofage.example/', init));
  expect(read.text).toBeNull();
  expect(() => read.json()).toThrow('Request body was incomplete');
});
