import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { SCENARIOS } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import {
  ANSWERS,
  parseScenario,
  toScenarioText,
  type Scenario,
  type Step,
} from '../../../playground/inspector/scenario-file.ts';

const EXAMPLES = new URL('../../../playground/inspector/examples/', import.meta.url);

const create = { atMs: 0, do: 'create', session: 'a', options: { returnUrl: 'http://localhost/' } };
const aFile = (fields: object = {}): string =>
  JSON.stringify({
    format: 'ofage-scenario',
    version: 1,
    name: 'A run',
    description: '',
    durationMs: 1_000,
    steps: [create],
    events: [],
    ...fields,
  });
const withStep = (step: object): string => aFile({ steps: [create, { atMs: 5, ...step }] });

describe('a scenario file', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' });
  const url = fc.webUrl({ validSchemes: ['http', 'https'] });
  const options = fc.record(
    {
      returnUrl: url,
      cancelUrl: url,
      externalUserId: text,
      merchantName: text,
      verificationMode: fc.constantFrom('L1' as const, 'L2' as const),
      challengeAge: fc.integer({ min: 25, max: 99 }),
      faceMatchEnabled: fc.boolean(),
    },
    { requiredKeys: ['returnUrl'] },
  );
  const outcome = fc.constantFrom(...SCENARIOS.map(({ name }) => name));
  const actions = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('settle' as const), session: fc.constant('s'), outcome }),
      fc.record({
        do: fc.constantFrom('poor_image' as const, 'retry' as const, 'validate' as const),
        session: fc.constant('s'),
      }),
      fc.record({ do: fc.constant('answer' as const), with: fc.constantFrom(...ANSWERS) }),
      fc.record({
        do: fc.constant('fault' as const),
        operation: fc.constantFrom('create' as const, 'validate' as const),
        fault: fc.constantFrom(
          '429' as const,
          '500' as const,
          '503' as const,
          'malformed' as const,
        ),
        count: fc.integer({ min: 1, max: 1_000_000 }),
      }),
      fc.record({ do: fc.constantFrom('resume' as const, 'redeliver' as const) }),
    ),
  );
  const scenario = fc
    .record({ options, actions, name: text, description: fc.string(), gapMs: fc.nat(10_000) })
    .map(({ options, actions, name, description, gapMs }): Scenario => {
      const steps: Step[] = [
        { atMs: 0, do: 'create', session: 's', options },
        { atMs: 0, do: 'create', session: 'refused', options, fails: true },
        ...actions.map((action, index) => ({ atMs: index * gapMs, ...action })),
      ];
      return {
        format: 'ofage-scenario',
        version: 1,
        name,
        description,
        durationMs: actions.length * gapMs,
        steps,
        events: [
          { session: 's', event: 'session.started', atMs: 0, reason: null, delivery: 'delivered' },
          { session: 's', event: 'verification.failed', atMs: 3, reason: name, delivery: null },
        ],
      };
    });

  it('is read as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(scenario, (value) => {
        expect(parseScenario(toScenarioText(value))).toEqual(value);
      }),
    );
  });

  it('never fails in any other way than with a sentence', () => {
    fc.assert(
      fc.property(fc.json(), fc.object(), (json, fields) => {
        for (const broken of [json, aFile(fields), withStep(fields)]) {
          try {
            parseScenario(broken);
          } catch (error) {
            expect((error as Error).message).toMatch(/^Cannot load the scenario: \S/);
          }
        }
      }),
    );
  });

  it.each([
    ['no JSON', '{', 'the file is not JSON'],
    ['something else', '[]', 'the file must be an object, got []'],
    [
      'a snapshot',
      '{"format":"ofage-mock-snapshot"}',
      'format must be "ofage-scenario", got "ofage-mock-snapshot"',
    ],
    [
      'a later version',
      aFile({ version: 2 }),
      'version must be 1, which is what this page reads, got 2',
    ],
    ['no name', aFile({ name: '' }), 'name must be a non-empty string, got ""'],
    [
      'a misspelt field',
      aFile({ step: [] }),
      'step is not known; there is format, version, name, description, durationMs, steps, events',
    ],
    [
      'a step that there is not',
      withStep({ do: 'dance' }),
      'steps[1].do must be one of create, poor_image, retry, settle, validate, answer, fault, resume, redeliver, got "dance"',
    ],
    [
      'a field of another step',
      withStep({ do: 'resume', session: 'a' }),
      'steps[1].session is not known; there is atMs, do',
    ],
    [
      'a time before its predecessor',
      aFile({
        steps: [
          { ...create, atMs: 9 },
          { atMs: 5, do: 'resume' },
        ],
      }),
      'steps[1].atMs must not be before the step in front of it, at 9, got 5',
    ],
    [
      'a time that is none',
      withStep({ do: 'resume', atMs: 1.5 }),
      'steps[1].atMs must be an integer from 0 to 2592000000, got 1.5',
    ],
    [
      'a session from nowhere',
      withStep({ do: 'retry', session: 'b' }),
      'steps[1].session must be created by a step before it, got "b"',
    ],
    ['a session made twice', withStep(create), 'steps[1].session is created twice: "a"'],
    [
      'an address that is none',
      aFile({ steps: [{ ...create, options: { returnUrl: 'localhost' } }] }),
      'steps[0].options.returnUrl must be an http or https URL, got "localhost"',
    ],
    [
      'a policy out of range',
      aFile({ steps: [{ ...create, options: { ...create.options, challengeAge: 18 } }] }),
      'steps[0].options.challengeAge must be an integer from 25 to 99, got 18',
    ],
    [
      'an outcome that there is not',
      withStep({ do: 'settle', session: 'a', outcome: 'ok' }),
      'steps[1].outcome must be one of verified, verified_after_id',
    ],
    [
      'an end before the last step',
      aFile({ durationMs: 4, steps: [create, { atMs: 5, do: 'resume' }] }),
      'durationMs must not be before the last step, at 5, got 4',
    ],
    [
      'an event of nobody',
      aFile({ events: [{ session: 'b' }] }),
      'events[0].session must be created by one of the steps, got "b"',
    ],
    [
      'an event without its fate',
      aFile({ events: [{ session: 'a', event: 'session.started', atMs: 0, reason: null }] }),
      'events[0].delivery must be one of pending, delivered, undelivered, cancelled, got nothing',
    ],
  ])('is refused with a sentence: %s', (_what, file, sentence) => {
    expect(() => parseScenario(file)).toThrow(`Cannot load the scenario: ${sentence}`);
  });

  it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json')))(
    '%s can be read',
    (name) => {
      expect(() => parseScenario(readFileSync(new URL(name, EXAMPLES), 'utf8'))).not.toThrow();
    },
  );
});
