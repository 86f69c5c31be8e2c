import type { SessionResource } from 'ofage-mock';

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
 * Formats a value as a CSV field. A text that starts like a formula gets an apostrophe, because a
 * spreadsheet would run the formula. Such a text is possible, because the shop chooses the
 * `externalUserId`.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
