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
      return [name, entry ? toTyped(text, typeOf(entry)) : text];
    }),
  );
}

/** Converts a text to the type. Returns it unchanged if it is not a value of the type. */
function toTyped(text: string, type: string): unknown {
  if (type === 'number' && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Returns the type that a schema checks, also inside wrappers such as `optional`. */
function typeOf(schema: v.ObjectEntries[string]): string {
  return 'wrapped' in schema ? typeOf(schema.wrapped as v.ObjectEntries[string]) : schema.type;
}
