import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { announce } from '../../shared/console/announce.tsx';
import { NO_PROBLEMS, type Problems, toProblems } from '../problems.ts';

/** A form that hands its values to the service, and shows what the service says of them. */
export interface Submission {
  readonly problems: Signal<Problems>;
  readonly isBusy: Signal<boolean>;
  /** Resolves with whether it went well. */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>;
}

/** @param fields The names of the form's fields, as the service says them. */
export function useSubmission(fields: readonly string[] = []): Submission {
  const problems = useSignal(NO_PROBLEMS);
  const isBusy = useSignal(false);
  return {
    problems,
    isBusy,
    async run(work, done) {
      isBusy.value = true;
      try {
        await work();
        problems.value = NO_PROBLEMS;
        if (done !== undefined) announce(done);
        return true;
      } catch (error) {
        problems.value = toProblems(error, fields);
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

export function Form(props: {
  submission: Submission;
  submit: string;
  onSubmit: () => void;
  children: ComponentChildren;
  actions?: ComponentChildren;
  testId?: string;
}): JSX.Element {
  const { submission, submit, onSubmit, children, actions, testId } = props;
  return (
    <form
      class="form"
      // The service says what is wrong, in its own words.
      noValidate
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault();
        // Not by disabling the button: whoever works by keyboard would lose their place.
        if (!submission.isBusy.value) onSubmit();
      }}
    >
      {children}
      <FormProblems submission={submission} />
      <div class="row">
        <button
          type="submit"
          class="button button--primary"
          aria-disabled={submission.isBusy.value}
        >
          {submit}
        </button>
        {actions}
      </div>
    </form>
  );
}

/** What is wrong with none of the fields in particular. */
export function FormProblems({ submission }: { submission: Submission }): JSX.Element | null {
  const { rest } = submission.problems.value;
  if (rest.length === 0) return null;
  return (
    <ul class="note note--bad" role="alert">
      {rest.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
