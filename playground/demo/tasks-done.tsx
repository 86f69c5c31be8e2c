import type { JSX } from 'preact';
import type { Guide } from './guide.ts';
import { TASKS, findNextTask } from './tasks.ts';

/** Says that the order completed its task of the list "Try this", which may be off screen. */
export function TasksDone({ guide }: { guide: Guide | null }): JSX.Element | null {
  const done = guide?.done.value ?? [];
  if (!done.includes('purchase')) return null;
  const next = findNextTask(done);
  return (
    <>
      <strong>
        {done.length} of {TASKS.length} tasks done.
      </strong>{' '}
      {next && (
        <>
          Next: <a href={`#task-${next.id}`}>{next.title}</a>
        </>
      )}
    </>
  );
}
