import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useKeptFocus } from '../../shared/console/use-kept-focus.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { siteUrl } from '../../shared/site.ts';
import type { Guide } from '../guide.ts';
import { TASKS, type Task } from '../tasks.ts';

/** A list of six tasks. Each has a button that sets everything up. */
export function TryThis({ guide }: { guide: Guide | null }): JSX.Element {
  const done = guide?.done.value ?? [];
  const panel = useRef<HTMLElement>(null);
  useKeptFocus(panel);
  return (
    <section class="panel" aria-labelledby="tasks-title" data-testid="try-this" ref={panel}>
      <div class="panel__head">
        <h2 id="tasks-title">Try this</h2>
        <Chip testId="progress">
          {done.length} of {TASKS.length}
        </Chip>
      </div>
      <p class="panel__note">
        Nothing to install, nothing to read: each of these shows one thing that can happen to a
        shop.
      </p>
      <ol class="tasks">
        {TASKS.map((task) => (
          <TaskItem key={task.id} task={task} guide={guide} isDone={done.includes(task.id)} />
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

function TaskItem(props: { task: Task; guide: Guide | null; isDone: boolean }): JSX.Element {
  const { task, guide, isDone } = props;
  const isCurrent = guide?.current.value === task.id;
  const word = isDone && task.coach !== null ? 'Again' : task.start;
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
    <li
      class={isCurrent ? 'task task--current' : 'task'}
      data-testid={`task-${task.id}`}
      data-done={String(isDone)}
    >
      <span class={isDone ? 'task__tick task__tick--done' : 'task__tick'} aria-hidden="true">
        {isDone ? '✓' : ''}
      </span>
      <div class="task__body">
        <h3>
          {task.title}
          {isDone && <span class="visually-hidden"> (done)</span>}
        </h3>
        <p>{task.text}</p>
        <div class="task__actions" ref={actions}>
          <Button
            variant={isCurrent ? 'primary' : undefined}
            small
            aria-label={`${word}: ${task.title}`}
            disabled={guide === null}
            busy={guide?.isBusy.value}
            onPress={begin}
            testId={`start-${task.id}`}
          >
            {word}
          </Button>
          {task.id === 'redelivered' && guide?.isRefusing.value && (
            <Button small busy={guide.isBusy.value} onPress={() => guide.mend()} testId="mend">
              Only mend
            </Button>
          )}
          {task.coach === null && (
            <a href={`${siteUrl('dashboard/')}#webhooks`}>
              {task.id === 'paused' ? 'See it on the dashboard' : 'Do it on the dashboard'}
            </a>
          )}
        </div>
        <p class="task__news" role="status" data-testid={`news-${task.id}`}>
          {guide?.result.value?.task === task.id ? guide.result.value.text : ''}
        </p>
      </div>
    </li>
  );
}
