import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { formatError } from './format-error.ts';
import { announce } from './toast.tsx';

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
  const { title, isOpen, ...question } = props;
  return (
    <Dialog title={title} isOpen={isOpen} dismiss={null}>
      <Confirmation {...question} isOpen={isOpen} />
    </Dialog>
  );
}

/** The content of the dialog. It is mounted at each opening, so that no error outlives its question. */
function Confirmation(props: Omit<Question, 'title'> & { isOpen: Signal<boolean> }): JSX.Element {
  const { confirm, done, work, onDone, children, isOpen } = props;
  const problem = useSignal('');
  // False once the question was closed. The dialog may already ask another one.
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const act = async (): Promise<void> => {
    try {
      problem.value = '';
      await work();
    } catch (error) {
      if (isShown.current) problem.value = formatError(error);
      else announce(formatError(error));
      return;
    }
    announce(done);
    if (isShown.current) isOpen.value = false;
    onDone?.();
  };
  return (
    <div class="dialog__body">
      {children}
      {problem.value !== '' && (
        <p class="note tone--bad" role="alert">
          {problem.value}
        </p>
      )}
      <div class="row">
        {/* The safe button comes first, so that Tab and Enter cancel instead of confirming. */}
        <Button onPress={() => (isOpen.value = false)}>Cancel</Button>
        <Button variant="danger-filled" onPress={act} testId="confirm">
          {confirm}
        </Button>
      </div>
    </div>
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
