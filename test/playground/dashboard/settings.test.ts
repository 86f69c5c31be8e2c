/** The forms of the dashboard's settings, and the files of snapshots. */
import { describe, expect, it } from 'vitest';
import { addDomains, toNumberOrText } from '../../../playground/dashboard/settings-change.ts';
import { parseSnapshotFile } from '../../../playground/shared/snapshot-file.ts';
import { createDraft } from '../../../playground/dashboard/draft.ts';
import { toProblems } from '../../../playground/dashboard/problems.ts';
import { ControlError } from 'ofage/mock/client';
import { createProvider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';
import { changeDomains } from '../../../playground/dashboard/change-domains.ts';

it.each([
  ['30', 30],
  [' 30 ', 30],
  ['2.5', 2.5],
  ['', ''],
  ['  ', '  '],
  ['thirty', 'thirty'],
])('toNumberOrText(%j) returns %j', (text, value) => expect(toNumberOrText(text)).toBe(value));

it('addDomains splits pasted text and drops duplicates', () => {
  expect(addDomains(['a.example'], ' b.example,a.example;\n*.c.example ')).toEqual([
    'a.example',
    'b.example',
    '*.c.example',
  ]);
  expect(addDomains(['a.example'], '  ')).toEqual(['a.example']);
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

describe('a draft', () => {
  it('follows values that are saved elsewhere', () => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.follow({ name: 'Kontor' });
    draft.follow({ name: 'Kontor' });
    expect(draft.value).toEqual({ name: 'Kontor' });
  });

  it('binds a field to one of its values and keeps the error passed with it', () => {
    const draft = createDraft({ name: 'Demo shop', age: '25' });
    const name = draft.field('name', 'name must not be empty');
    name.value = 'Kontor';
    expect(draft.value).toEqual({ name: 'Kontor', age: '25' });
    draft.value = { name: 'Weinhaus', age: '25' };
    expect(name.value).toBe('Weinhaus');
    expect(name.error).toBe('name must not be empty');
    expect(draft.field('age').error).toBeUndefined();
  });

  it('keeps unsaved input when another value is saved elsewhere', () => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.value = { name: 'Demo sh' };
    draft.follow({ name: 'Kontor' });
    expect(draft.value).toEqual({ name: 'Demo sh' });
  });

  it.each([
    ['before the response', true],
    ['after the response', false],
  ])('keeps input typed during a save when the live update arrives %s', (_when, isEarly) => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.value = { name: 'Kontor' };
    const accept = draft.send();
    draft.value = { name: 'Kontor by' };
    if (isEarly) draft.follow({ name: 'Kontor' });
    accept();
    if (!isEarly) draft.follow({ name: 'Kontor' });
    expect(draft.value).toEqual({ name: 'Kontor by' });
  });

  it.each([
    ['before the response', true],
    ['after the response', false],
  ])(
    'shows the value normalised by the service when the live update arrives %s',
    (_when, isEarly) => {
      const draft = createDraft({ age: '25' });
      draft.value = { age: '030' };
      const accept = draft.send();
      if (isEarly) draft.follow({ age: '30' });
      accept();
      expect(draft.value).toEqual({ age: isEarly ? '30' : '030' });
      if (!isEarly) draft.follow({ age: '30' });
      expect(draft.value).toEqual({ age: '30' });
      // No input is unsaved, so the draft continues to follow.
      draft.follow({ age: '40' });
      expect(draft.value).toEqual({ age: '40' });
    },
  );

  it('keeps the old value when it is typed again during a save', () => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.value = { name: 'Kontor' };
    const accept = draft.send();
    draft.value = { name: 'Demo shop' };
    draft.follow({ name: 'Kontor' });
    accept();
    expect(draft.value).toEqual({ name: 'Demo shop' });
  });

  it('keeps input that the service refused', () => {
    const draft = createDraft({ age: '25' });
    draft.value = { age: '17' };
    draft.send();
    draft.follow({ age: '40' });
    expect(draft.value).toEqual({ age: '17' });
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
  expect(problems.of('url')).toBe('This value must use https.');
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

async function anAccount() {
  const service = createMockService();
  const { tenantId } = await service.ready;
  await service.control.updateTenant(tenantId, { allowedDomains: ['a.example', 'b.example'] });
  const { client } = createProvider(service);
  return {
    tenantId,
    domains: async () => (await service.control.tenant(tenantId)).allowedDomains,
    without: (domain: string) =>
      changeDomains(client, tenantId, (domains) => domains.filter((one) => one !== domain)),
    and: (domain: string) => changeDomains(client, tenantId, (domains) => [...domains, domain]),
  };
}

it('changeDomains() applies each change to the result of the previous one', async () => {
  const { without, and, domains } = await anAccount();
  await Promise.all([without('a.example'), and('c.example'), without('b.example')]);
  expect(await domains()).toEqual(['c.example']);
});

it('changeDomains() keeps the other changes when one is refused', async () => {
  const { without, and, domains } = await anAccount();
  const changes = [without('a.example'), and('https://c.example'), and('d.example')];
  const ends = await Promise.allSettled(changes);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await domains()).toEqual(['b.example', 'd.example']);
});
