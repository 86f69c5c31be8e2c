import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { FormProblems, useSubmission } from './form.tsx';

interface Question {
  title: string;
  confirm: string;
  /** Announced after the work. */
  done: string;
  work: () => Promise<unknown>;
  /** Called once the dialog is closed. */
  onDone?: () => void;
  children: ComponentChildren;
}

/** Asks before something is done that cannot be undone. */
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
          {/* The harmless button comes first, so that Return does no harm. */}
          <Button onPress={() => (isOpen.value = false)}>Keep it as it is</Button>
          <Button look="danger-filled" onPress={act} testId="confirm">
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** A button that asks before it does something that cannot be undone. */
export function ConfirmButton(
  props: Question & {
    label: string;
    /** The accessible name, where the label alone is ambiguous. It begins with the label. */
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
        look="danger"
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
