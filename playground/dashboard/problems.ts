import { formatError } from '../shared/kit/format-error.ts';
import { ControlError } from 'ofage/mock/client';

/** The service's error messages, assigned to the fields of a form. */
export interface Problems {
  /**
   * Returns the messages about these fields, or undefined if there are none. Several fields may share one
   * place on the page.
   */
  of(...fields: readonly string[]): string | undefined;
  /** The messages that concern none of the form's fields. */
  readonly rest: readonly string[];
}

export const NO_PROBLEMS: Problems = { of: () => undefined, rest: [] };

/** @param fields The names of the form's fields, as they appear in the service's messages. */
export function toProblems(error: unknown, fields: readonly string[]): Problems {
  const sentences = toSentences(error);
  const isAbout = (sentence: string, field: string): boolean =>
    sentence.startsWith(`${field} `) || sentence.startsWith(`each value in ${field} `);
  return {
    of(...wanted) {
      const found = sentences.flatMap((sentence) => {
        const field = wanted.find((one) => isAbout(sentence, one));
        return field === undefined ? [] : toWords(sentence, field);
      });
      // Two messages about an empty field become the same sentence.
      return found.length === 0 ? undefined : [...new Set(found)].join(' ');
    },
    rest: sentences.filter((sentence) => !fields.some((field) => isAbout(sentence, field))),
  };
}

/**
 * The service's messages without the name of the field, each with the sentence that the page shows instead.
 */
const WORDS: readonly (readonly [message: RegExp, words: string])[] = [
  [/^must not be less than (.+)$/, 'Enter $1 or more.'],
  [/^must not be greater than (.+)$/, 'Enter $1 or less.'],
  [/^must be an integer number$/, 'Enter a whole number.'],
  [/^must be a number conforming to the specified constraints$/, 'Enter a number.'],
  [/^(should not be empty|must be a string)$/, 'Enter a value.'],
  [/^must be one of the following values: (.+)$/, 'Choose one of $1.'],
];

/**
 * Converts the service's message to a sentence for its place below the field, where the field's name in the
 * API is not needed.
 */
function toWords(sentence: string, field: string): string {
  const isEach = sentence.startsWith('each value in ');
  const message = sentence.slice(`${isEach ? 'each value in ' : ''}${field} `.length);
  const [pattern, words] = WORDS.find(([one]) => one.test(message)) ?? [];
  if (pattern !== undefined && words !== undefined) return message.replace(pattern, words);
  return `${isEach ? 'Each value' : 'This value'} ${message}.`;
}

function toSentences(error: unknown): readonly string[] {
  if (error instanceof ControlError) return error.sentences;
  return [formatError(error)];
}
