import type * as v from 'valibot';
import type { InputSchema } from '../operations/operation.ts';

/** Converts a query's text to the types that its schema checks. */
export function readQuery(
  schema: InputSchema | undefined,
  query: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const entry =
        schema && Object.hasOwn(schema.entries, name) ? schema.entries[name] : undefined;
      const isNumber = entry && isNumberSchema(entry) && /^\d{1,15}$/.test(text);
      return [name, isNumber ? Number(text) : text];
    }),
  );
}

/** Tells whether a schema is a number, also inside wrappers such as `optional`. */
function isNumberSchema(schema: v.ObjectEntries[string]): boolean {
  if ('wrapped' in schema) return isNumberSchema(schema.wrapped as v.ObjectEntries[string]);
  return schema.type === 'number';
}
