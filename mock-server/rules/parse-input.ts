import * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';

type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * Checks a JSON body against a schema, strictly: everything that is wrong is reported at once, unknown
 * properties first, in the wording of class-validator.
 * @throws {ServiceError} invalid_body with one sentence per problem
 */
export function parseInput<const S extends ObjectSchema>(
  schema: S,
  input: unknown,
): v.InferOutput<S> {
  if (!isRecord(input))
    throw new ServiceError('invalid_body', 'Request body must be a JSON object');
  const result = v.safeParse(schema, toOwn(schema, input));
  // As a set, because two checks of a field may say the same.
  const problems = [
    ...findUnknown(schema, input, ''),
    ...new Set((result.issues ?? []).flatMap(toSentences)),
  ];
  if (problems.length > 0 || !result.success) {
    throw new ServiceError('invalid_body', problems.join('; '), problems);
  }
  return result.output;
}

/**
 * Only what the sender wrote, with every known property present: `constructor` and `__proto__` would
 * otherwise be found on every object, and a missing property be reported in words that are not ours.
 */
function toOwn(schema: ObjectSchema, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(schema.entries).map((key) => [
      key,
      Object.hasOwn(input, key) ? input[key] : undefined,
    ]),
  );
}

function toSentences(issue: v.BaseIssue<unknown>): string[] {
  // A field's message may hold several sentences; an object has none of its own.
  if (issue.type !== 'object') return issue.message.split('\n');
  const path = v.getDotPath(issue) ?? '';
  return [`${path} ${issue.expected === 'Object' ? 'must be an object' : 'should not be empty'}`];
}

function findUnknown(schema: ObjectSchema, input: Record<string, unknown>, path: string): string[] {
  return Object.keys(input).flatMap((key) => {
    const entry = Object.hasOwn(schema.entries, key) ? schema.entries[key] : undefined;
    if (!entry) return [`property ${path}${key} should not exist`];
    const nested = toObjectSchema(entry);
    const value = input[key];
    if (!nested) return [];
    // To the schema an array is an object, too.
    if (Array.isArray(value)) return [`${path}${key} must be an object`];
    return isRecord(value) ? findUnknown(nested, value, `${path}${key}.`) : [];
  });
}

/** The object schema inside `optional`, `nullable` and the like. */
function toObjectSchema(schema: v.ObjectEntries[string]): ObjectSchema | undefined {
  if ('wrapped' in schema) return toObjectSchema(schema.wrapped as v.ObjectEntries[string]);
  return schema.type === 'object' ? (schema as unknown as ObjectSchema) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
