import { styleText } from 'node:util';
import { hideCredentials, toPrintable } from '../store/safe-text.ts';

// The only way to a terminal: text from outside is escaped here, and nowhere else.

type Style = Parameters<typeof styleText>[0];

/** A text in a style, which is applied after the text was escaped. */
export interface Styled {
  readonly style: Style;
  readonly text: string;
}

/** A line of output: a text, or its parts. */
export type Line = string | readonly (string | Styled)[];

export function paint(style: Style, text: string): Styled {
  return { style, text };
}

/**
 * Formats lines for a terminal or a pipe, each with a line break. Control characters are escaped, and user
 * names and passwords of URLs are left out.
 */
export function toScreen(
  lines: readonly Line[],
  { isColoured }: { readonly isColoured: boolean },
): string {
  const toPart = (part: string | Styled): string => {
    if (typeof part === 'string') return toPrintable(hideCredentials(part));
    const text = toPrintable(hideCredentials(part.text));
    // validateStream is off, because the caller knows the stream and has decided whether to use colours.
    return isColoured ? styleText(part.style, text, { validateStream: false }) : text;
  };
  return lines.map((line) => `${[line].flat().map(toPart).join('')}\n`).join('');
}

/** Formats a value as a line of JSON, for programs. Its characters are escaped, its meaning is not changed. */
export function toJsonLine(value: object): string {
  return `${toPrintable(JSON.stringify(value))}\n`;
}

/** Formats a message on standard error. It has one line, so that a text in it cannot forge another one. */
export function toComplaint(message: string): string {
  return toScreen([`ofage-mock: ${message}`], { isColoured: false });
}

/**
 * Tells whether to print colours: only on a terminal that supports them, and not if NO_COLOR is set
 * (no-color.org).
 */
export function mayColour(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
