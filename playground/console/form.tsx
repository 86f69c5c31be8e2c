import { useSignal } from '@preact/signals';
import { ControlError } from 'ofage/mock/client';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../shared/kit/button.tsx';
import { formatError } from '../shared/kit/format-error.ts';
import { announce } from '../shared/kit/toast.tsx';
import { useBusy } from '../shared/kit/use-busy.ts';

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

const NO_PROBLEMS: Problems = { of: () => undefined, rest: [] };

/** @param fields The names of the form's fields, as they appear in the service's messages. */
export function toProblems(error: unknown, fields: readonly string[]): Problems {
  const sentences = error instanceof ControlError ? error.sentences : [formatError(error)];
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

/** Sends something to the service, one request at a time, and keeps its error messages. */
export interface Submission {
  readonly problems: Problems;
  /** True while a response is pending. */
  readonly isBusy: boolean;
  /** Runs `work`, and announces `done` after it. Resolves to true if it succeeded. Never rejects. */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>;
}

/** @param fields The names of the form's fields, as they appear in the service's messages. */
export function useSubmission(fields: readonly string[] = []): Submission {
  const problems = useSignal(NO_PROBLEMS);
  const busy = useBusy();
  return {
    problems: problems.value,
    isBusy: busy.isBusy,
    async run(work, done) {
      let isDone = false;
      await busy.run(async () => {
        try {
          await work();
          isDone = true;
          problems.value = NO_PROBLEMS;
          if (done !== undefined) announce(done);
        } catch (error) {
          problems.value = toProblems(error, fields);
        }
      });
      return isDone;
    },
  };
}

/**
 * A form whose fields the browser keeps: each has a name and its saved value, `save` reads them, and the
 * service's messages are shown beside them. After a save the fields have the values of the service again,
 * unless more was typed meanwhile.
 */
export function Form(props: {
  submit: string;
  save(form: FormData): Promise<unknown>;
  /** The text to announce after a save. */
  done?: string;
  /** The names of the fields, as they appear in the service's messages. */
  fields?: readonly string[];
  children(problems: Problems): ComponentChildren;
  actions?: ComponentChildren;
  /** True for the main action of a page or dialog. Each has at most one. */
  isPrimary?: boolean;
  /** True for a form that is longer than the window. Its button then stays in view. */
  isLong?: boolean;
  testId?: string;
}): JSX.Element {
  const { submit, save, done, fields, children, actions, isPrimary, isLong, testId } = props;
  const submission = useSubmission(fields);
  const onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const values = new FormData(form);
    const isSaved = await submission.run(() => save(values), done);
    // What was typed during the save stays.
    if (isSaved && toText(new FormData(form)) === toText(values)) form.reset();
  };
  return (
    <form
      class="form"
      // The service validates the input and returns its own messages.
      noValidate
      data-testid={testId}
      onSubmit={onSubmit}
    >
      {children(submission.problems)}
      <OtherProblems problems={submission.problems} />
      <div class={isLong ? 'row form__bar' : 'row'}>
        <Button variant={isPrimary ? 'primary' : undefined} busy={submission.isBusy}>
          {submit}
        </Button>
        {actions}
      </div>
    </form>
  );
}

const toText = (form: FormData): string => JSON.stringify([...form]);

/** Shows the messages that concern none of the fields. */
export function OtherProblems({ problems }: { problems: Problems }): JSX.Element | null {
  if (problems.rest.length === 0) return null;
  return (
    <ul class="note note--bad" role="alert">
      {problems.rest.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Returns the trimmed text of a field, which is empty if the form has no such field. */
export function readText(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim();
}

/**
 * Returns the number in a field. A text that is not a number is returned unchanged, because the service's
 * error message says what it expects.
 */
export function readNumber(form: FormData, name: string): number {
  const text = readText(form, name);
  const number = Number(text);
  // The cast lets the text through to the service, which rejects it with its own message.
  return text === '' || Number.isNaN(number) ? (text as unknown as number) : number;
}
