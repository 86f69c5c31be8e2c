/**
 * A problem with a JSON body or with one of its fields. The caller turns it into an OfAgeError with a code.
 */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/** A JSON object whose fields are not checked yet. Each read function checks one field. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function parseJsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may contain a token.
    throw new ShapeError('the body is not JSON');
  }
  return toJsonObject(value, 'the body');
}

export function toJsonObject(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShapeError(`${name} must be an object, got ${kindOf(value)}`);
  }
  return value as JsonObject; // checked above: an object and not an array
}

/** Returns the field's value if it is an own property, so that a polluted prototype has no effect. */
export function readField(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function readString(object: JsonObject, name: string): string {
  const value = readField(object, name);
  if (typeof value !== 'string' || value === '') {
    throw new ShapeError(`${name} must be a non-empty string, got ${kindOf(value)}`);
  }
  return value;
}

/** Reads a string. Returns undefined if the field is absent or null. */
export function readOptionalString(object: JsonObject, name: string): string | undefined {
  const value = readField(object, name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw new ShapeError(`${name} must be a string, got ${kindOf(value)}`);
  }
  return value;
}

export function readNumber(object: JsonObject, name: string): number {
  const value = readField(object, name);
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new ShapeError(`${name} must be a number, got ${kindOf(value)}`);
  }
  return value;
}

export function readBoolean(object: JsonObject, name: string): boolean {
  const value = readField(object, name);
  if (typeof value !== 'boolean') {
    throw new ShapeError(`${name} must be true or false, got ${kindOf(value)}`);
  }
  return value;
}

export function readOneOf<T extends string | boolean>(
  object: JsonObject,
  name: string,
  choices: readonly T[],
): T {
  const value = readField(object, name);
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw new ShapeError(`${name} must be ${choices.join(' or ')}, got ${kindOf(value)}`);
  }
  return found;
}

/** Reads an ISO 8601 date and time, and keeps the original text. */
export function readInstant(object: JsonObject, name: string): string {
  const value = readString(object, name);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) || Number.isNaN(Date.parse(value))) {
    throw new ShapeError(`${name} must be an ISO 8601 date and time`);
  }
  return value;
}

/**
 * Describes a value for an error message. Shows a number or a boolean, but never the contents of a string,
 * an array or an object, because a body may contain tokens and personal data.
 */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isPromise(value)) return 'a promise; is await missing?';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Tells whether a value can be awaited. */
export function isPromise(value: unknown): boolean {
  return typeof (Object(value) as { then?: unknown }).then === 'function';
}
