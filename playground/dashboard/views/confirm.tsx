import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { FormProblems, useSubmission } from './form.tsx';

/** A button that asks before it does something that cannot be undone. */
export function ConfirmButton(props: {
  label: string;
  /** What is read out, where the label alone could be any of several. It begins with the label. */
  name?: string;
  title: string;
  confirm: string;
  /** Said when it is done. */
  done: string;
  work: () => Promise<unknown>;
  /** Called once the dialog is closed. */
  onDone?: () => void;
  children: ComponentChildren;
  isSmall?: boolean;
  testId?: string;
}): JSX.Element {
  const { label, name, title, confirm, done, work, onDone, children, isSmall, testId } = props;
  const isOpen = useSignal(false);
  const submission = useSubmission();
  const act = async (): Promise<void> => {
    if (!(await submission.run(work, done))) return;
    isOpen.value = false;
    onDone?.();
  };
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
      <Dialog title={title} isOpen={isOpen} dismiss={null}>
        <div class="form">
          {children}
          <FormProblems submission={submission} />
          <div class="row">
            {/* The harmless one first, so that Return does no harm. */}
            <Button onPress={() => (isOpen.value = false)}>Keep it as it is</Button>
            <Button look="danger-filled" onPress={act} testId="confirm">
              {confirm}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
