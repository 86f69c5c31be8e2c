import { useSignal } from '@preact/signals';
import { ControlError } from 'ofage-mock/client';
import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Button } from '../shared/kit/button.tsx';
import { FieldError, FieldErrors } from '../shared/kit/field.tsx';
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
  [
    /^must use https$/,
    'Use https. Only http://localhost works without, on a mock that runs with --allow-loopback-webhooks.',
  ],
  [
    /^must have a host name that resolves to public Internet addresses$/,
    'Check the host name: it has no public address, or this computer is offline.',
  ],
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

/**
 * A form whose fields the browser keeps: each has the name that the service's messages give it and its saved
 * value, `save` reads them, and the messages are shown beside them. After a save the fields have the values
 * of the service again, unless more was typed meanwhile.
 */
export function Form(props: {
  submit: string;
  save(form: FormData): Promise<unknown>;
  /** The text to announce after a save. */
  done?: string;
  /** Called when the fields get their first values again, after a save or when changes are discarded. */
  onReset?(): void;
  children: ComponentChildren;
  /** True for the main action of a page or dialog. Each has at most one. */
  isPrimary?: boolean;
  /** For a form that is longer than the window. Once something is changed, its buttons stay in view. */
  long?: {
    /** True after a change that is not in a field. */
    readonly isChanged: boolean;
    onDiscard(): void;
  };
  testId?: string;
}): JSX.Element {
  const { submit, save, done, onReset, children, isPrimary, long, testId } = props;
  const problems = useSignal(NO_PROBLEMS);
  const isTyped = useSignal(false);
  const busy = useBusy();
  const send = async (form: HTMLFormElement): Promise<void> => {
    const values = new FormData(form);
    try {
      await save(values);
    } catch (error) {
      problems.value = toProblems(error, namesOf(form));
      return;
    }
    problems.value = NO_PROBLEMS;
    if (done !== undefined) announce(done);
    // What was typed during the save stays.
    if (toText(new FormData(form)) === toText(values)) form.reset();
  };
  const { of, rest } = problems.value;
  const isChanged = long !== undefined && (isTyped.value || long.isChanged);
  return (
    <form
      class="form"
      // The service validates the input and returns its own messages.
      noValidate
      data-testid={testId}
      onInput={() => (isTyped.value = true)}
      onReset={() => {
        isTyped.value = false;
        onReset?.();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void busy.run(() => send(form));
      }}
    >
      <FieldErrors.Provider value={of}>{children}</FieldErrors.Provider>
      {rest.length > 0 && (
        <ul class="note tone--bad" role="alert">
          {rest.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <div class={isChanged ? 'row form__bar' : 'row'}>
        <Button variant={isPrimary ? 'primary' : undefined} busy={busy.isBusy}>
          {submit}
        </Button>
        {isChanged && (
          <Button
            onPress={({ currentTarget }) => {
              problems.value = NO_PROBLEMS;
              long.onDiscard();
              currentTarget.form?.reset();
            }}
          >
            Discard changes
          </Button>
        )}
      </div>
    </form>
  );
}

const toText = (form: FormData): string => JSON.stringify([...form]);

/** Returns the names of a form's fields. A group of fields may have several names, with spaces between. */
export function namesOf(form: HTMLFormElement): string[] {
  const elements = [...form.elements] as HTMLInputElement[];
  return elements.flatMap(({ name }) => name.split(' ').filter(Boolean));
}

/** Several fields with one place for the errors about the given names. */
export function FieldGroup(props: {
  name: string;
  class: string;
  children: ComponentChildren;
}): JSX.Element {
  const errorOf = useContext(FieldErrors);
  return (
    <fieldset name={props.name} class={props.class}>
      {props.children}
      <FieldError error={errorOf(...props.name.split(' '))} />
    </fieldset>
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
