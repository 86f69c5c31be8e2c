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
      const found = sentences.filter((sentence) =>
        wanted.some((field) => isAbout(sentence, field)),
      );
      return found.length === 0 ? undefined : found.join('. ');
    },
    rest: sentences.filter((sentence) => !fields.some((field) => isAbout(sentence, field))),
  };
}

function toSentences(error: unknown): readonly string[] {
  if (error instanceof ControlError) return error.sentences;
  return [formatError(error)];
}
