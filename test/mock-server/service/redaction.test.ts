import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../../mock-server/service/redaction.ts';
import { aMock, type Mock, ORIGIN } from '../../support/a-mock.ts';

const returnUrl = 'http://localhost/return';

/** The encodings in which a secret may arrive. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded in lower case': (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  'percent-encoded in every character': (text) =>
    Array.from(new TextEncoder().encode(text), (byte) => `%${toHex(byte, 2)}`).join(''),
  'as in a form': (text) => new URLSearchParams({ x: text }).toString().slice(2),
  'escaped as in JSON': toJson,
  'escaped as in JSON twice': (text) => toJson(toJson(text)),
  'escaped as in JSON in every character': (text) =>
    Array.from(text, (character) => `\\u${toHex(character.charCodeAt(0), 4)}`).join(''),
  'in JSON that is percent-encoded': (text) => encodeURIComponent(toJson(text)),
  'percent-encoded, in JSON': (text) => toJson(encodeURIComponent(text)),
};

/** The texts before a secret. */
const BEFORE = ['', '=', ' ', '"', 'x', '3D', '_', '%3D', '%22', '%253D', '\\n', '\\u003d', '\\"'];

function toHex(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}

function toJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Decodes a text as long as it contains an encoding. Yields every step. */
function* decodings(text: string): Generator<string> {
  for (let step = 0; step < 6; step += 1) {
    yield text;
    text = text
      .replaceAll('+', ' ')
      .replaceAll(/\\u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_match, unit, byte) =>
        String.fromCharCode(Number.parseInt(unit ?? byte, 16)),
      )
      .replaceAll(/\\(["\\/])/g, '$1');
  }
}

/** Tells whether a text shows so much of a secret that it could be completed. */
function shows(text: string, secret: string): boolean {
  const middle = secret.slice(6, 14);
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  return [...decodings(text)].some(
    (step) => step.includes(middle) || step.includes(bytes.slice(6, 14)),
  );
}

/** Creates a state with every kind of secret, and names them. */
async function aStateWithSecrets(my: Mock): Promise<Record<string, string>> {
  const { tenantId, secretKey } = my;
  const session = await my.create();
  const url = 'https://shop.example/hooks';
  const generated = await my.control.createEndpoint(tenantId, { url });
  await my.control.createEndpoint(tenantId, { url: `${url}/1`, secret: CHOSEN_SECRET });
  const { tables } = await my.control.snapshot();
  const [signingKey] = tables['settings'] as unknown as { value: string }[];
  return {
    'the secret key': secretKey,
    'a chosen secret key': CHOSEN_KEY,
    'the session token': session.sessionToken,
    'the hand-off token': session.handoffToken,
    'a webhook secret': String(generated.secret),
    'a chosen webhook secret': CHOSEN_SECRET,
    'the key that signs tokens': signingKey!.value,
    'the secret key of another state': `sk_${'8f3a'.repeat(12)}`,
    'the token of another state': `st1_${'6b1c'.repeat(16)}`,
  };
}

const CHOSEN_SECRET = 'chosen-by:hand/"quoted"\\100%25&more';
const CHOSEN_KEY = 'sk_a.b+c/d=e:f@chosen-by_hand';
const ACCOUNTS = [{ name: 'Shop' }, { name: 'Wine', secretKey: CHOSEN_KEY }];

/** Where the log of requests can have a text that a client has chosen. */
const PLACES: Readonly<Record<string, (my: Mock, text: string) => Promise<unknown>>> = {
  'a string of the body': (my, text) => my.create({ merchantName: text }),
  'a name in the body, which the response repeats': (my, text) => my.create({ [text]: 1 }),
  'a body that is not JSON': (my, text) => post(my, '/api/v1/sessions/create', text),
  'the end of a long body': (my, text) =>
    post(my, '/api/v1/sessions/create', `${'x'.repeat(4_096 - text.length / 2)}${text}`),
  'a JSON string in a JSON string': (my, text) =>
    my.create({ merchantName: JSON.stringify({ note: text }) }),
  'a header': (my, text) => post(my, '/api/v1/x', '', { 'x-note': toHeader(text) }),
  'the referer': (my, text) =>
    post(my, '/api/v1/x', '', { referer: `http://localhost/?next=${toHeader(text)}` }),
  'a segment of the path': (my, text) => post(my, `/api/v1/sessions/${toPath(text)}/validate`, ''),
  'the path of the hosted page’s API': (my, text) => post(my, `/hosted/v1/${toPath(text)}`, ''),
};

/** Header values are sent as ASCII without line breaks. */
function toHeader(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent);
}

function toPath(text: string): string {
  return text.replaceAll(/[?#\s\\/]/g, encodeURIComponent);
}

async function post(
  my: Mock,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<void> {
  await my.service.fetch(
    new Request(ORIGIN + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== '' && { body }),
    }),
  );
}

describe.each(Object.keys(PLACES))('the log of requests, for %s,', (place) => {
  it('shows no secret of any kind in any encoding', async () => {
    const my = await aMock({ tenants: ACCOUNTS });
    const secrets = await aStateWithSecrets(my);
    const send = PLACES[place]!;
    const leaks: string[] = [];
    for (const [kind, secret] of Object.entries(secrets)) {
      const sent = Object.entries(ENCODINGS).flatMap(([encoding, encode]) =>
        BEFORE.map((before) => ({ encoding, before, text: before + encode(secret) })),
      );
      for (const { text } of sent) await send(my, text);
      const shown = await my.control.requests({ limit: sent.length });
      const stored = (await my.control.snapshot({ secrets: 'omit' })).tables['requests']!;
      for (const [n, { encoding, before }] of sent.entries()) {
        const texts = [shown.at(-1 - n), stored.slice(-sent.length)[n]].map((row) =>
          textsOf(row).join('\n'),
        );
        if (texts.some((text) => shows(text, secret)))
          leaks.push(`${kind}, ${encoding}, after ${JSON.stringify(before)}`);
      }
    }
    expect(leaks).toEqual([]);
  });
});

describe('the log of requests', () => {
  it('hides a token in the name of a header', async () => {
    const my = await aMock();
    const { sessionToken } = await my.create();
    await post(my, '/api/v1/x', '', { [`x-${sessionToken}`]: '1' });
    const [request] = await my.control.requests({ limit: 1 });
    expect(Object.keys(request!.requestHeaders)).toContain('x-st1_…');
  });
});

/** Lists the strings and the names of properties in a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsOf(part)]);
}

describe('a snapshot without secrets', () => {
  it('contains no key, signing secret or token in any encoding', async () => {
    const my = await aMock({ tenants: ACCOUNTS });
    const secrets = await aStateWithSecrets(my);
    secrets['the publishable key'] = my.publishableKey;
    for (const secret of Object.values(secrets)) {
      for (const encode of Object.values(ENCODINGS)) {
        const text = encode(secret);
        await my.create({
          externalUserId: `x${text}`,
          returnUrl: `${returnUrl}?next=${encodeURIComponent(`http://localhost/?a=${text}`)}`,
          merchantName: text,
        });
      }
    }
    const { sessionId } = await my.create();
    for (const secret of Object.values(secrets))
      await my.control.addObservation({ kind: 'access_granted', sessionId, by: `=%3D${secret}` });
    await my.control.settle(sessionId, 'verified');
    const snapshot = await my.control.snapshot({ secrets: 'omit' });
    const texts = textsOf(snapshot);
    for (const [kind, secret] of Object.entries(secrets))
      expect(
        texts.filter((text) => shows(text, secret)),
        kind,
      ).toEqual([]);
    await my.control.loadSnapshot(snapshot);
  });
});

describe('a redaction', () => {
  const redact = createRedaction(['chosen by hand', 'schlüssel-1']);

  it.each([
    'task_42, risk_level, disk_full, desk_number_of_the_customer_0123456789',
    'http://localhost/return?risk_level=3&next=%2Ftask_42%3Fdisk_full%3D1',
    '{"text":"100%, \\"task_42\\"\\n C:\\\\disk_full"}',
    'first1_test, ask_0123456789abcde, whsec, sk-1',
    '%, %2, %zz, \\u12, \\',
    '',
  ])('keeps %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['?a=1&sessionToken=st1_0123456789abcdef&b=2', '?a=1&sessionToken=st1_…&b=2'],
    ['%3Dst1_0123456789abcdef%26b%3D2', '%3Dst1_…%26b%3D2'],
    ['{"secret":"a\\"b","note":1}', '{"secret":"…","note":1}'],
    [
      '{"body":"{\\"secret\\":\\"ab\\",\\"note\\":1}"}',
      '{"body":"{\\"secret\\":\\"…\\",\\"note\\":1}"}',
    ],
    ['x chosen+by%20hand y', 'x … y'],
    ['schl%C3%BCssel-1', '…'],
    ['sk_ab sk_cd', 'sk_… sk_…'],
    ['task_0123456789abcdef0 is long', 'task_… is long'],
  ])('changes %j to %j', (text, hidden) => {
    expect(redact(text)).toBe(hidden);
  });

  it.each([0, 1, 2, 3, 4, 5])('hides a secret that was encoded %i times', (times) => {
    for (const encode of [encodeURIComponent, toJson]) {
      let text = 'a "chosen" secret';
      for (let n = 0; n < times; n += 1) text = encode(text);
      expect(createRedaction(['a "chosen" secret'])(`x ${text} y`)).toBe('x … y');
    }
  });

  it('hides the beginning of a secret that the maximum length cuts', () => {
    expect(redact('x chosen by hand y', 10)).toBe('x …');
    expect(redact('chosen by hand sk_0123456789abcdef', 20)).toBe('… sk_…');
    expect(redact('0123456789', 4)).toBe('0123');
  });
});
