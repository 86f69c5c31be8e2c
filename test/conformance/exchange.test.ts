import { expect, it } from 'vitest';
import {
  bearer,
  describeAnswer,
  describeCall,
  hideSecrets,
  post,
  toStatusCause,
} from '../../mock-server/conformance/exchange.ts';

it.each<[status: number, expected: number, cause: string | null]>([
  [200, 201, '200 instead of 201'],
  [422, 400, '422 instead of 400'],
  [500, 201, '500 "No"'],
  // A request that should have been refused is a mistake of its own.
  [201, 400, null],
])('the status %i instead of %i has the cause %j', (status, expected, cause) => {
  const json = { message: 'No' };
  const answer = { status, headers: new Headers(), text: JSON.stringify(json), json };
  expect(toStatusCause(answer, expected)).toBe(cause);
});

const HIDDEN = 'Zx7-private_part';

it.each([
  `sk_test_${HIDDEN}`,
  `sk_test12.${HIDDEN}`,
  `sk_ab/${HIDDEN}`,
  `sk_a+b=c:d@${HIDDEN}`,
  `SK_LIVE.${HIDDEN}`,
  `pk_test.${HIDDEN}`,
  `whsec_${HIDDEN}`,
  `whsec_a/b+${HIDDEN}`,
  `st1_${HIDDEN}`,
  `ht1_${HIDDEN}`,
  // A token of a service that has no prefixes.
  `eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.${HIDDEN}`,
])('%s is hidden in the description of a request', (secret) => {
  const calls = [
    { method: 'GET', path: '/', headers: bearer(secret) },
    { method: 'GET', path: '/', headers: { 'X-API-Key': secret } },
    { method: 'GET', path: '/', headers: { authorization: secret } },
    { method: 'GET', path: `/verify?sessionToken=${secret}&a=1`, headers: {} },
    post('/', { sessionToken: secret, a: 1 }),
  ];
  for (const call of calls) expect(describeCall(call)).not.toContain(HIDDEN);
});

it.each(['sessionToken', 'handoffToken'])('a %s is hidden in JSON with spaces', (name) => {
  const text = JSON.stringify({ [name]: HIDDEN, status: 'x' }, null, 2);
  const answer = { status: 200, headers: new Headers(), text, json: null };
  expect(describeAnswer(answer)).not.toContain(HIDDEN);
  expect(describeAnswer(answer)).toContain('"status"');
});

it('the rest of a text with secrets stays readable', () => {
  expect(hideSecrets('{"apiKey":"sk_test_12345678","task_number":42}')).toBe(
    '{"apiKey":"sk_…","task_number":42}',
  );
  expect(
    describeCall(post('/sessions/create', { returnUrl: 'https://shop.example/a' }, 'sk_unknown')),
  ).toBe(
    'POST /sessions/create, {"returnUrl":"https://shop.example/a"}, authorization: Bearer sk_…',
  );
});
