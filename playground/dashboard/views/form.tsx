import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { announce } from '../../shared/kit/toast.tsx';
import { useBusy } from '../../shared/kit/use-busy.ts';
import { NO_PROBLEMS, type Problems, toProblems } from '../problems.ts';

/** The state of a form that is sent to the service, with the service's error messages. */
export interface Submission {
  readonly problems: Signal<Problems>;
  /** True while a response is pending. */
  readonly isBusy: boolean;
  /**
   * Runs `work`, unless a response is pending, and announces `done` after it has succeeded. Resolves to
   * true if `work` succeeded. Never rejects.
   */
  run(work: () => Promise<unknown>, done?: string): Promise<boolean>;
  /** Clears the error messages. */
  reset(): void;
}

/** @param fields The names of the form's fields, as they appear in the service's messages. */
export function useSubmission(fields: readonly string[] = []): Submission {
  const problems = useSignal(NO_PROBLEMS);
  const busy = useBusy();
  const reset = (): void => {
    problems.value = NO_PROBLEMS;
  };
  return {
    problems,
    reset,
    get isBusy() {
      return busy.isBusy;
    },
    async run(work, done) {
      let isDone = false;
      await busy.run(async () => {
        try {
          await work();
          isDone = true;
          reset();
          if (done !== undefined) announce(done);
        } catch (error) {
          problems.value = toProblems(error, fields);
        }
      });
      return isDone;
    },
  };
}

export function Form(props: {
  submission: Submission;
  submit: string;
  onSubmit: () => void;
  children: ComponentChildren;
  actions?: ComponentChildren;
  /** True for the main action of a view or dialog. Each view has at most one. */
  isPrimary?: boolean;
  testId?: string;
}): JSX.Element {
  const { submission, submit, onSubmit, children, actions, isPrimary, testId } = props;
  return (
    <form
      class="form"
      // The service validates the input and returns its own messages.
      noValidate
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault();
        if (!submission.isBusy) onSubmit();
      }}
    >
      {children}
      <FormProblems submission={submission} />
      <div class="row">
        <Button variant={isPrimary ? 'primary' : undefined} busy={submission.isBusy}>
          {submit}
        </Button>
        {actions}
      </div>
    </form>
  );
}

/** Shows the messages that concern none of the fields. */
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
