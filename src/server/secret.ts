/**
 * A secret key that cannot be printed by accident. The text is in a private field, and every way of
 * printing the object shows a placeholder.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /**
   * Removes the secret from a text that may contain it, such as the response of a service or a proxy that
   * echoes the request.
   */
  redact(text: string): string {
    return text.replaceAll(this.#text, PLACEHOLDER);
  }

  /**
   * Copies a caught error without the fields that may hold the request. Some implementations of `fetch`
   * attach the request, and with it the Authorization header, to their errors.
   */
  redactCause(cause: unknown, depth = 0): unknown {
    if (typeof cause === 'string') return this.redact(cause);
    if (!(cause instanceof Error) || depth > MAX_CAUSES) return undefined;
    const inner = this.redactCause(cause.cause, depth + 1);
    const copy = new Error(
      this.redact(cause.message),
      inner === undefined ? undefined : { cause: inner },
    );
    copy.name = this.redact(cause.name);
    copy.stack = this.redact(cause.stack ?? String(copy));
    const { code } = cause as { code?: unknown };
    return typeof code === 'string' ? Object.assign(copy, { code: this.redact(code) }) : copy;
  }

  toString(): string {
    return PLACEHOLDER;
  }

  toJSON(): string {
    return PLACEHOLDER;
  }

  /** Node, Deno and Bun call this when they print an object. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return PLACEHOLDER;
  }
}

const PLACEHOLDER = '[redacted]';

/**
 * Maximum depth of the causes that are copied. "fetch failed" caused by "connect ECONNREFUSED" has two
 * levels. The limit also ends a cycle.
 */
const MAX_CAUSES = 3;
