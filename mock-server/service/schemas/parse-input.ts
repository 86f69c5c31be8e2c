import * as v from 'valibot';
import { isRecord } from '../../store/checks.ts';
import { ServiceError } from '../../store/errors.ts';

type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * Checks a JSON body strictly against a schema. Reports all problems at once, unknown properties first, in
 * the style of class-validator.
 * @throws {ServiceError} invalid_body with one sentence per problem
 */
export function parseInput<const S extends ObjectSchema>(
  schema: S,
  input: unknown,
): v.InferOutput<S> {
  if (!isRecord(input))
    throw new ServiceError('invalid_body', 'Request body must be a JSON object');
  const result = v.safeParse(schema, toOwn(schema, input));
  // A set drops repeated messages, because two checks of one field may have the same one.
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
 * Copies the schema's properties from the input. A property that the input does not have itself becomes
 * undefined. Otherwise `constructor` and `__proto__` would be found on every object, and a missing property
 * would be reported with valibot's own message.
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
  // A field's message may consist of several sentences. The schema of an object has no message.
  if (issue.type !== 'object') return issue.message.split('\n');
  const path = v.getDotPath(issue) ?? '';
  return [`${path} ${issue.expected === 'Object' ? 'must be an object' : 'should not be empty'}`];
}

function findUnknown(schema: v.ObjectEntries[string], value: unknown, path: string): string[] {
  const inner = unwrap(schema);
  const below = (key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);
  switch (inner.type) {
    case 'array':
      if (!Array.isArray(value)) return [];
      return value.flatMap((item, index) => findUnknown(inner.item, item, below(index)));
    case 'record':
      return findArray(value, path);
    case 'object':
      if (!isRecord(value)) return findArray(value, path);
      return Object.keys(value).flatMap((key) => {
        const entry = Object.hasOwn(inner.entries, key) ? inner.entries[key] : undefined;
        if (!entry) return [`property ${below(key)} should not exist`];
        return findUnknown(entry, value[key], below(key));
      });
    case 'other':
      return [];
  }
}

/** Reports an array in place of an object, because valibot's object schemas accept arrays. */
function findArray(value: unknown, path: string): string[] {
  return Array.isArray(value) ? [`${path} must be an object`] : [];
}

type Inner =
  | { readonly type: 'object'; readonly entries: v.ObjectEntries }
  | { readonly type: 'array'; readonly item: v.ObjectEntries[string] }
  | { readonly type: 'record' | 'other' };

/** Returns the schema inside `optional`, `nullable` and similar wrappers, if it contains other schemas. */
function unwrap(schema: v.ObjectEntries[string]): Inner {
  if ('wrapped' in schema) return unwrap(schema.wrapped as v.ObjectEntries[string]);
  const isKnown = ['object', 'array', 'record'].includes(schema.type);
  // The type discriminates between valibot's schemas.
  return isKnown ? (schema as unknown as Inner) : { type: 'other' };
}
