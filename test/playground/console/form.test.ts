/** The values and the errors of forms, and the files of snapshots. */
import { DESTINATION_MESSAGES } from '../../../mock-server/send/destination.ts';
import { describe, expect, it } from 'vitest';
import { readNumber, toProblems } from '../../../playground/console/form.tsx';
import { parseSnapshotFile } from '../../../playground/shared/snapshot-file.ts';
import { ControlError } from 'ofage-mock/client';
import { createProvider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';

it.each([
  ['30', 30],
  [' 30 ', 30],
  ['2.5', 2.5],
  ['', ''],
  ['thirty', 'thirty'],
])('readNumber() reads %j as %j', (text, value) => {
  const form = new FormData();
  form.set('age', text);
  expect(readNumber(form, 'age')).toBe(value);
});

describe('snapshot files', () => {
  it.each([
    ['', /not JSON/],
    ['{', /not JSON/],
    ['[]', /one JSON object/],
    ['null', /one JSON object/],
  ])('are rejected with a message if they contain %j', (text, why) => {
    expect(() => parseSnapshotFile(text)).toThrow(why);
  });
});

const FIELDS = ['policy.challengeAge', 'allowedDomains'];

it('toProblems() assigns each message to the field that it names', () => {
  const error = new ControlError('refused', 400, [
    'policy.challengeAge must not be less than 25',
    'each value in allowedDomains must be a host such as shop.example, or *.shop.example',
    'sandboxMode must be a boolean value',
  ]);
  const problems = toProblems(error, FIELDS);
  expect(problems.of('policy.challengeAge')).toBe('Enter 25 or more.');
  expect(problems.of('allowedDomains')).toMatch(/^Each value must be a host such as /);
  expect(problems.rest).toEqual(['sandboxMode must be a boolean value']);
});

it('toProblems() does not confuse fields with a common prefix', () => {
  const problems = toProblems(new ControlError('refused', 400, ['url must use https']), [
    'u',
    'url',
  ]);
  expect(problems.of('u')).toBeUndefined();
  // Also true on a mock that runs with the option.
  expect(problems.of('url')).toMatch(/^Use https\. Only .* --allow-loopback-webhooks\.$/);
});

it('toProblems() says what to check when a host name does not resolve', () => {
  const unresolved = new ControlError('refused', 400, [DESTINATION_MESSAGES.unresolved]);
  expect(toProblems(unresolved, ['url']).of('url')).toMatch(/^Check the host name: .* offline\.$/);
});

it('toProblems() finds the fields in real messages of the service', async () => {
  const service = createMockService();
  const provider = createProvider(service);
  const { tenantId } = await service.ready;
  const change = {
    policy: { challengeAge: 17 },
    allowedDomains: ['https://shop.example/'],
    rateLimits: { create: 'many' },
  };
  const refusal = await provider.client
    .updateTenant(tenantId, change as object)
    .catch((error: unknown) => error);
  const problems = toProblems(refusal, [...FIELDS, 'rateLimits.create']);
  expect(problems.of('policy.challengeAge')).toContain('25');
  expect(problems.of('allowedDomains')).toContain('shop.example');
  expect(problems.of('rateLimits.create')).toBe('Enter a whole number.');
  expect(problems.rest).toEqual([]);
});
