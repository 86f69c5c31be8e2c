/** A column of a table: its heading, and the function that returns an item's cell. */
export interface Column<T> {
  readonly title: string;
  readonly of: (item: T) => string | number | null;
}

/**
 * Formats items as a table. Columns are as wide as their longest cell. A missing value is shown as a dash.
 */
export function toTable<T>(columns: readonly Column<T>[], items: readonly T[]): string[] {
  const rows = [
    columns.map(({ title }) => title),
    ...items.map((item) => columns.map(({ of }) => toCell(of(item)))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function toCell(value: string | number | null): string {
  return value === null || value === '' ? '-' : toPrintable(String(value));
}

/** Escapes control characters, because text from outside could move the cursor or colour the terminal. */
export function toPrintable(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
