import { formatError } from '../shared/kit/format-error.ts';
import { ControlError } from 'ofage/mock/client';

/** What the service said is wrong, at the fields that it names. */
export interface Problems {
  /** Sentences about a field, or about one of several that share a place; undefined when all is well. */
  of(...fields: readonly string[]): string | undefined;
  /** What is about none of the form's fields. */
  readonly rest: readonly string[];
}

export const NO_PROBLEMS: Problems = { of: () => undefined, rest: [] };

/** @param fields The names of the form's fields, as the service says them. */
export function toProblems(error: unknown, fields: readonly string[]): Problems {
  const sentences = toSentences(error);
  const isAbout = (sentence: string, field: string): boolean =>
    sentence.startsWith(`${field} `) || sentence.startsWith(`each value in ${field} `);
  return {
    of(...asked) {
      const found = sentences.filter((sentence) => asked.some((field) => isAbout(sentence, field)));
      return found.length === 0 ? undefined : found.join('. ');
    },
    rest: sentences.filter((sentence) => !fields.some((field) => isAbout(sentence, field))),
  };
}

function toSentences(error: unknown): readonly string[] {
  if (error instanceof ControlError) return error.sentences;
  return [formatError(error)];
}
