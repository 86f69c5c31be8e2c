import { hideCredentials, toPrintable } from '../store/safe-text.ts';
import { NONE } from '../words/states.ts';
import { type Line, paint, toJsonLine, toScreen } from './terminal.ts';

/** The printer of a command's results: text for people, or one line of JSON per result for programs. */
export interface Printer {
  readonly isJson: boolean;
  /** Prints one result: an object for programs, lines with a label and a value for people. */
  result(value: object, facts: readonly Fact[]): void;
  /** Prints a list: one object per line for programs, a table for people. */
  list<T extends object>(items: readonly T[], columns: readonly Column<T>[], none: string): void;
  /** Prints more rows below a list, without headings. */
  more<T extends object>(items: readonly T[], columns: readonly Column<T>[]): void;
  /** Prints one result: an object for programs, lines of text for people. */
  text(value: object, toLines: () => readonly Line[]): void;
  /** Prints a line that is not a result, on standard error. */
  note(line: string): void;
}

export type Fact = readonly [label: string, value: string | null];

interface PrinterOptions {
  readonly isJson: boolean;
  readonly isColoured: boolean;
  readonly write: (text: string) => void;
  /** Writes to standard error. @default nothing is written */
  readonly writeNote?: (text: string) => void;
}

export function createPrinter(options: PrinterOptions): Printer {
  const { isJson, isColoured, write, writeNote = () => {} } = options;
  const writeLines = (lines: readonly Line[]): void => {
    if (lines.length > 0) write(toScreen(lines, { isColoured }));
  };
  const writeJson = (items: readonly object[]): void => {
    if (items.length > 0) write(items.map(toJsonLine).join(''));
  };

  return {
    isJson,
    note: (line) => writeNote(toScreen([line], { isColoured: false })),
    result(value, facts) {
      if (isJson) return writeJson([value]);
      const width = Math.max(...facts.map(([label]) => label.length)) + 2;
      writeLines(facts.map(([label, text]) => [paint('dim', label.padEnd(width)), text ?? NONE]));
    },
    list(items, columns, none) {
      if (isJson) return writeJson(items);
      if (items.length === 0) return writeLines([none]);
      const [head = '', ...rows] = toTable(columns, items);
      writeLines([[paint('dim', head)], ...rows]);
    },
    more(items, columns) {
      if (isJson) return writeJson(items);
      writeLines(toTable(columns, items).slice(1));
    },
    text(value, toLines) {
      if (isJson) return writeJson([value]);
      writeLines(toLines());
    },
  };
}

/** A column of a table: its heading, and the function that returns an item's cell. */
export interface Column<T> {
  readonly title: string;
  readonly of: (item: T) => string | number | null;
}

/**
 * Formats items as a table. Columns are as wide as their longest cell. Headings are in capitals.
 */
export function toTable<T>(columns: readonly Column<T>[], items: readonly T[]): string[] {
  const rows = [
    columns.map(({ title }) => title.toUpperCase()),
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

/** Escapes the text here already, so that the column is as wide as what is shown. */
function toCell(value: string | number | null): string {
  return value === null || value === '' ? NONE : toPrintable(hideCredentials(String(value)));
}

/** Breaks a text into lines of at most `columns` columns. A longer word gets a separate line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
