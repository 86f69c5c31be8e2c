import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Dialog } from '../../shared/console/parts.tsx';
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
  children: ComponentChildren;
  isSmall?: boolean;
  isDisabled?: boolean;
  testId?: string;
}): JSX.Element {
  const { label, name, title, confirm, done, work, children, isSmall, isDisabled, testId } = props;
  const isOpen = useSignal(false);
  const submission = useSubmission();
  const act = async (): Promise<void> => {
    if (submission.isBusy.value) return;
    if (await submission.run(work, done)) isOpen.value = false;
  };
  return (
    <>
      <button
        type="button"
        class={`button button--danger${isSmall ? ' button--small' : ''}`}
        aria-label={name}
        disabled={isDisabled}
        data-testid={testId}
        onClick={() => (isOpen.value = true)}
      >
        {label}
      </button>
      <Dialog title={title} isOpen={isOpen}>
        <div class="form">
          {children}
          <FormProblems submission={submission} />
          <div class="row">
            <button
              type="button"
              class="button"
              // The harmless one first, so that Return does no harm.
              onClick={() => (isOpen.value = false)}
            >
              Keep it as it is
            </button>
            <button
              type="button"
              class="button button--danger-filled"
              data-testid="confirm"
              aria-disabled={submission.isBusy.value}
              onClick={() => void act()}
            >
              {confirm}
            </button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
