import { styleText } from 'node:util';
import { toTable, type Column } from './table.ts';

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
  text(value: object, toLines: (paint: Paint) => readonly string[]): void;
  /** Prints a line that is not a result, on standard error. */
  note(line: string): void;
}

/** Colours a text if colours are on. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

export type Fact = readonly [label: string, value: string | null];

export interface PrinterOptions {
  readonly isJson: boolean;
  readonly isColoured: boolean;
  readonly write: (text: string) => void;
  /** Writes to standard error. @default nothing is written */
  readonly writeNote?: (text: string) => void;
}

export function createPrinter(options: PrinterOptions): Printer {
  const { isJson, isColoured, write, writeNote = () => {} } = options;
  // validateStream is off, because the caller knows the stream and has decided whether to use colours.
  const paint: Paint = (style, text) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const dim = (text: string): string => paint('dim', text);
  const writeLines = (lines: readonly string[]): void => {
    if (lines.length > 0) write(`${lines.join('\n')}\n`);
  };
  const writeJson = (items: readonly object[]): void =>
    writeLines(items.map((item) => JSON.stringify(item)));

  return {
    isJson,
    note: (line) => writeNote(`${line}\n`),
    result(value, facts) {
      if (isJson) return writeJson([value]);
      const width = Math.max(...facts.map(([label]) => label.length)) + 2;
      writeLines(facts.map(([label, text]) => dim(label.padEnd(width)) + (text ?? '-')));
    },
    list(items, columns, none) {
      if (isJson) return writeJson(items);
      if (items.length === 0) return writeLines([none]);
      const [head = '', ...rows] = toTable(columns, items);
      writeLines([dim(head), ...rows]);
    },
    more(items, columns) {
      if (isJson) return writeJson(items);
      writeLines(toTable(columns, items).slice(1));
    },
    text(value, toLines) {
      if (isJson) return writeJson([value]);
      writeLines(toLines(paint));
    },
  };
}
