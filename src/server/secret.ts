/**
 * A secret key that cannot be printed by accident: the text is in a private field, and every way of
 * showing the object gives a placeholder.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /** Takes the secret out of a text from elsewhere: a service or a proxy may echo what it was sent. */
  redact(text: string): string {
    return text.replaceAll(this.#text, PLACEHOLDER);
  }

  /**
   * Copies a caught failure without what may hold the request: some implementations of `fetch` hang
   * the request, and with it the Authorization header, on the errors they throw.
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

  /** Node, Deno and Bun ask for this when they print an object. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return PLACEHOLDER;
  }
}

const PLACEHOLDER = '[redacted]';

/** fetch failed -> connect ECONNREFUSED is two; more is noise, and a cycle must end. */
const MAX_CAUSES = 3;
