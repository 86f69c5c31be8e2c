import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { FormProblems, useSubmission } from './form.tsx';

interface Question {
  title: string;
  confirm: string;
  /** The text to announce after `work` has succeeded. */
  done: string;
  work: () => Promise<unknown>;
  /** Called after `work` has succeeded and the dialog has closed. */
  onDone?: () => void;
  children: ComponentChildren;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog(props: Question & { isOpen: Signal<boolean> }): JSX.Element {
  const { title, confirm, done, work, onDone, children, isOpen } = props;
  const submission = useSubmission();
  const act = async (): Promise<void> => {
    if (!(await submission.run(work, done))) return;
    isOpen.value = false;
    onDone?.();
  };
  return (
    <Dialog title={title} isOpen={isOpen} dismiss={null}>
      <div class="form">
        {children}
        <FormProblems submission={submission} />
        <div class="row">
          {/* The safe button comes first, so that Tab and Enter cancel instead of confirming. */}
          <Button onPress={() => (isOpen.value = false)}>Cancel</Button>
          <Button variant="danger-filled" onPress={act} testId="confirm">
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Shows a button that asks for confirmation of an action that cannot be undone. */
export function ConfirmButton(
  props: Question & {
    label: string;
    /**
     * The accessible name, for a label that is ambiguous without its surroundings. It must start with the
     * label.
     */
    name?: string;
    isSmall?: boolean;
    testId?: string;
  },
): JSX.Element {
  const { label, name, isSmall, testId, ...question } = props;
  const isOpen = useSignal(false);
  return (
    <>
      <Button
        variant="danger"
        small={isSmall}
        aria-label={name}
        onPress={() => (isOpen.value = true)}
        testId={testId}
      >
        {label}
      </Button>
      <ConfirmDialog {...question} isOpen={isOpen} />
    </>
  );
}
