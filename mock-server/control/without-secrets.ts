import { redact } from './request-record.ts';

/** Placeholder for a webhook secret. A replay generates a new secret in its place. */
export const SECRET = '$secret';

/** Copies a JSON value with its keys, tokens and secrets replaced. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'secret' && typeof part === 'string' ? SECRET : withoutSecrets(part),
    ]),
  );
}
