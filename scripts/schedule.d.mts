export interface ScheduledStep {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly after?: readonly string[];
  readonly isAlone?: boolean;
}

/** See schedule.mjs. */
export function runInOrder<Step extends ScheduledStep>(
  steps: readonly Step[],
  run: (
    step: Step,
    unmet: string | undefined,
  ) => Promise<{ isPassed: boolean; isStopped?: boolean }>,
): Promise<void>;
