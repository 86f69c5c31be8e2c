import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeptFocus } from '../../shared/console/use-kept-focus.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { siteUrl } from '../../shared/site.ts';
import type { Guide, TaskResult } from './guide.ts';
import { TASKS, type Task, type TaskId, findNextTask } from './tasks.ts';

/** The list of tasks, at most one of which is unfolded. Each has a button that starts it. */
export function TryThis({ guide }: { guide: Guide | null }): JSX.Element {
  const done = guide?.done.value ?? [];
  const next = guide?.current.value ?? findNextTask(done)?.id ?? null;
  const unfolded = useUnfolded(next);
  const panel = useRef<HTMLElement>(null);
  useKeptFocus(panel);
  useFocusOfUnfolded(panel);
  return (
    <section class="panel" aria-labelledby="tasks-title" data-testid="try-this" ref={panel}>
      <div class="panel__head">
        <h2 id="tasks-title">Try this</h2>
        <Chip testId="progress">
          {done.length} of {TASKS.length}
        </Chip>
      </div>
      <ol class="tasks">
        {TASKS.map((task) => (
          <TaskItem
            key={task.id}
            task={task}
            guide={guide}
            isDone={done.includes(task.id)}
            isOpen={unfolded.id === task.id}
            onToggle={() => unfolded.toggle(task.id)}
          />
        ))}
      </ol>
      {done.length > 0 && (
        <Button
          small
          disabled={guide === null}
          busy={guide?.isBusy.value}
          onPress={() => guide?.startOver()}
          testId="start-over"
        >
          Start over as a new customer
        </Button>
      )}
    </section>
  );
}

/** Returns the unfolded task: the next one, until the visitor folds it or unfolds another one. */
function useUnfolded(next: TaskId | null): { id: TaskId | null; toggle(id: TaskId): void } {
  // The choice applies only while the next task is still the same.
  const choice = useSignal<{ readonly next: TaskId | null; readonly id: TaskId | null } | null>(
    null,
  );
  const id = choice.value?.next === next ? choice.value.id : next;
  return {
    id,
    toggle: (toggled) => (choice.value = { next, id: toggled === id ? null : toggled }),
  };
}

/** Moves the keyboard focus to the unfolded task when the task that has it is folded. */
function useFocusOfUnfolded(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const folded = document.activeElement?.closest('details:not([open]) > :not(summary)');
    if (!folded || !panel.current?.contains(folded)) return;
    panel.current.querySelector<HTMLElement>('details[open] > summary')?.focus();
  });
}

function TaskItem(props: {
  task: Task;
  guide: Guide | null;
  isDone: boolean;
  isOpen: boolean;
  onToggle: () => void;
}): JSX.Element {
  const { task, guide, isDone, isOpen, onToggle } = props;
  const isCurrent = guide?.current.value === task.id;
  const result = toResult(guide, task);
  return (
    <li
      class={isCurrent ? 'task task--current' : 'task'}
      data-testid={`task-${task.id}`}
      data-done={String(isDone)}
    >
      <details open={isOpen}>
        <summary
          id={`task-${task.id}`}
          data-testid={`unfold-${task.id}`}
          onClick={(event) => {
            // The attribute follows the state, so that only one task is unfolded.
            event.preventDefault();
            onToggle();
          }}
        >
          <span class={isDone ? 'task__tick task__tick--done' : 'task__tick'} aria-hidden="true">
            {isDone ? '✓' : ''}
          </span>
          <h3>
            {task.title}
            {isDone && <span class="visually-hidden"> (done)</span>}
          </h3>
        </summary>
        <div class="task__body">
          <p>{task.text}</p>
          <TaskActions task={task} guide={guide} isDone={isDone} />
        </div>
      </details>
      <p class="task__news" role="status" data-testid={`news-${task.id}`}>
        {result?.text}
        {result && <DashboardLink task={task} guide={guide} />}
      </p>
    </li>
  );
}

function TaskActions(props: { task: Task; guide: Guide | null; isDone: boolean }): JSX.Element {
  const { task, guide, isDone } = props;
  const word = isDone && task.coach !== null ? 'Again' : task.start;
  // While the shop rejects webhooks, the steps in the console fail.
  const mustFix = task.id === 'redelivered' && guide?.isRefusing.value;
  const actions = useRef<HTMLDivElement>(null);
  useKeptFocus(actions);
  const begin = async (): Promise<void> => {
    await guide?.begin(task.id);
    if (task.coach === null) return;
    // Scrolls to the next step, which is off screen on a phone.
    const button = document.getElementById('verify-age');
    button?.scrollIntoView({ block: 'center' });
    button?.focus({ preventScroll: true });
  };
  return (
    <div class="task__actions" ref={actions}>
      <Button
        small
        aria-label={`${word}: ${task.title}`}
        disabled={guide === null}
        busy={guide?.isBusy.value}
        onPress={begin}
        testId={`start-${task.id}`}
      >
        {word}
      </Button>
      {mustFix && (
        <Button
          small
          busy={guide?.isBusy.value}
          onPress={() => guide?.acceptWebhooks()}
          testId="accept-webhooks"
        >
          Only fix the receiver
        </Button>
      )}
      {!mustFix && !toResult(guide, task) && <DashboardLink task={task} guide={guide} />}
    </div>
  );
}

const toResult = (guide: Guide | null, { id }: Task): TaskResult | null =>
  guide?.result.value?.task === id ? guide.result.value : null;

/**
 * Links a task about webhooks to the shop's endpoint in the console, or to all webhooks while the endpoint
 * is unknown.
 */
function DashboardLink({ task, guide }: { task: Task; guide: Guide | null }): JSX.Element | null {
  if (task.coach !== null) return null;
  const id = guide?.endpointId.value;
  const hash = id ? `#webhooks/${id}` : '#webhooks';
  return (
    <a href={siteUrl(`console/${hash}`)} data-testid={`dashboard-${task.id}`}>
      {task.id === 'redelivered' && guide?.hasMissedEvents.value
        ? 'Do it in the console'
        : 'See it in the console'}
    </a>
  );
}
