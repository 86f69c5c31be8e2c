import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../shared/kit/button.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { siteUrl } from '../shared/site.ts';
import type { Guide, TaskResult } from './guide.ts';
import { Panel } from './panel.tsx';
import { TASKS, type Task, findNextTask } from './tasks.ts';

/** The list of tasks, at most one of which is unfolded. Each has a button that starts it. */
export function TryThis({ guide }: { guide: Guide | null }): JSX.Element {
  const done = guide?.done.value ?? [];
  const next = guide?.current.value ?? findNextTask(done)?.id ?? null;
  const tasks = useRef<HTMLDivElement>(null);
  useFocusOfUnfolded(tasks);
  const progress = (
    <Chip testId="progress">
      {done.length} of {TASKS.length}
    </Chip>
  );
  return (
    <Panel id="try-this" title="Try this" note={progress}>
      <div ref={tasks}>
        <ol class="tasks">
          {TASKS.map((task) => (
            <TaskItem
              key={task.id}
              task={task}
              guide={guide}
              isDone={done.includes(task.id)}
              isNext={task.id === next}
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
      </div>
    </Panel>
  );
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
  isNext: boolean;
}): JSX.Element {
  const { task, guide, isDone, isNext } = props;
  const isCurrent = guide?.current.value === task.id;
  const result = toResult(guide, task);
  return (
    <li
      class={isCurrent ? 'task task--current' : 'task'}
      data-testid={`task-${task.id}`}
      data-done={String(isDone)}
    >
      {/* With the name, the browser keeps at most one task unfolded. */}
      <details name="task" open={isNext}>
        <summary id={`task-${task.id}`} data-testid={`unfold-${task.id}`}>
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
        {result && <ConsoleLink task={task} guide={guide} />}
      </p>
    </li>
  );
}

function TaskActions(props: { task: Task; guide: Guide | null; isDone: boolean }): JSX.Element {
  const { task, guide, isDone } = props;
  const word = isDone && task.coach !== null ? 'Again' : task.start;
  // While the shop rejects webhooks, the steps in the console fail.
  const mustFix = task.id === 'redelivered' && guide?.isRefusing.value;
  const begin = async (): Promise<void> => {
    await guide?.begin(task.id);
    // After a failure, the error is shown here. A webhook task never becomes the current one.
    if (guide?.current.value !== task.id) return;
    // Scrolls to the next step, which is off screen on a phone.
    const button = document.getElementById('verify-age');
    button?.scrollIntoView({ block: 'center' });
    button?.focus({ preventScroll: true });
  };
  return (
    <div class="task__actions">
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
      {!mustFix && !toResult(guide, task) && <ConsoleLink task={task} guide={guide} />}
    </div>
  );
}

const toResult = (guide: Guide | null, { id }: Task): TaskResult | null =>
  guide?.result.value?.task === id ? guide.result.value : null;

/**
 * Links a task about webhooks to the shop's endpoint in the console, or to all webhooks while the endpoint
 * is unknown.
 */
function ConsoleLink({ task, guide }: { task: Task; guide: Guide | null }): JSX.Element | null {
  if (task.coach !== null) return null;
  const id = guide?.endpointId.value;
  const hash = id ? `#webhooks/${id}` : '#webhooks';
  return (
    <a href={siteUrl(`console/${hash}`)} data-testid={`console-${task.id}`}>
      {task.id === 'redelivered' && guide?.hasMissedEvents.value
        ? 'Do it in the console'
        : 'See it in the console'}
    </a>
  );
}
