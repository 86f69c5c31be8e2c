import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fenced block of code in a page of the documentation. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** Returns the blocks of a Markdown text that name a language, including indented ones. */
export function findCodeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^[ \t]*```(\w+)\n([\s\S]*?)^[ \t]*```$/gm)].map(
    ({ index, 1: language = '', 2: code = '' }) => ({
      language,
      code,
      line: text.slice(0, index).split('\n').length,
    }),
  );
}

/**
 * Returns the code of the only block of a page that has this language and contains all of the given parts.
 * Throws if there is not exactly one.
 *
 * @param page The path of the page, from the root of the project.
 */
export function readCodeBlock(page: string, language: string, ...parts: string[]): string {
  const text = readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8');
  const found = findCodeBlocks(text).filter(
    (block) => block.language === language && parts.every((part) => block.code.includes(part)),
  );
  if (found.length !== 1) {
    const which = `${language} block with ${parts.join(' and ')}`;
    throw new Error(`Expected exactly one ${which} in ${page}, found ${found.length}`);
  }
  return found[0]!.code;
}
