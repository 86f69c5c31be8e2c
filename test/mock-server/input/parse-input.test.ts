import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../mock-server/store/errors.ts';
import { tenantInput } from '../../../mock-server/service/operations/inputs.ts';
import { createBody } from '../../../mock-server/service/http/session-bodies.ts';
import { parseInput } from '../../../mock-server/service/input/parse-input.ts';

describe('parseInput()', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('returnUrl', 'challengeAge', '__proto__', 'constructor', 'merchantId', 'x'),
      fc.jsonValue(),
    ),
  );

  it('for any JSON, either rejects with messages or returns only known properties (property)', () => {
    fc.assert(
      fc.property(json, (sent) => {
        const input: unknown = JSON.parse(JSON.stringify(sent));
        try {
          const output = parseInput(createBody, input);
          expect(Object.keys(createBody.entries)).toEqual(
            expect.arrayContaining(Object.keys(output)),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          const { code, details, message } = error as ServiceError;
          expect(code).toBe('invalid_body');
          for (const sentence of details ?? [message]) {
            expect(sentence).toMatch(
              /^(property .* should not exist|\w+ (must|should) .*|Request body must .*)$/su,
            );
          }
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('validates objects in a list', () => {
    const input = { members: [{ email: 'a@b.example', role: 'owner' }, { name: 'Anna' }] };
    expect(() => parseInput(tenantInput, input)).toThrow(
      expect.objectContaining({
        details: [
          'property members.1.name should not exist',
          'members.1.email should not be empty',
          'members.1.role should not be empty',
        ],
      }),
    );
  });

  it('validates nested objects', () => {
    const input: unknown = JSON.parse(
      '{"policy":{"__proto__":{},"age":1,"challengeAge":"x"},"rateLimits":[],"billingBlock":{}}',
    );
    expect(() => parseInput(tenantInput, input)).toThrow(
      expect.objectContaining({
        details: [
          'property policy.__proto__ should not exist',
          'property policy.age should not exist',
          'rateLimits must be an object',
          'policy.challengeAge must be a number conforming to the specified constraints',
          'billingBlock.code should not be empty',
          'billingBlock.message should not be empty',
        ],
      }),
    );
  });
});
