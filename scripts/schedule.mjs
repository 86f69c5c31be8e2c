/** The maximum number of steps that run at once. Most of them keep little more than one processor busy. */
const STEPS_AT_ONCE = 2;

/**
 * Runs steps in their order, but starts a step early if every earlier one is running or still has to wait.
 * A step waits for those in its `needs` and `after`. A step with `isAlone` waits for all earlier steps, and
 * nothing runs beside it.
 * @param run Called with a step and its unmet need, if one failed. Resolves with `isPassed`, and with
 *   `isStopped` if no further steps should start.
 */
export async function runInOrder(steps, run) {
  const waiting = [...steps];
  const running = new Map();
  const failed = new Set();
  while (waiting.length + running.size > 0) {
    const step = running.size < STEPS_AT_ONCE ? findNext(waiting, [...running.keys()]) : undefined;
    if (step === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(step), 1);
    const unmet = step.needs?.find((name) => failed.has(name));
    const ended = run(step, unmet).then(({ isPassed, isStopped }) => {
      running.delete(step);
      if (!isPassed) failed.add(step.name);
      if (isStopped) waiting.length = 0;
    });
    running.set(step, ended);
  }
}

function findNext(waiting, running) {
  if (running.some(({ isAlone }) => isAlone)) return undefined;
  const unfinished = new Set([...waiting, ...running].map(({ name }) => name));
  return waiting.find(({ needs = [], after = [], isAlone }, index) => {
    if (isAlone) return index === 0 && running.length === 0;
    return ![...needs, ...after].some((name) => unfinished.has(name));
  });
}
