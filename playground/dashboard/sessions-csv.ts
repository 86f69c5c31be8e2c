import type { SessionResource } from 'ofage/mock';

const COLUMNS = [
  'id',
  'status',
  'reason',
  'externalUserId',
  'createdAt',
  'settledAt',
  'validatedAt',
  'verificationMode',
  'challengeAge',
  'pairId',
] as const satisfies readonly (keyof SessionResource)[];

/** Formats sessions as CSV (RFC 4180), with a row of column names. */
export function toCsv(sessions: readonly SessionResource[]): string {
  const rows = sessions.map((session) => COLUMNS.map((column) => toCell(session[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/**
 * Quotes a value. A spreadsheet would run a text that starts like a formula, and the shop chooses the
 * `externalUserId`, so such a text gets an apostrophe, which makes it plain text.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
