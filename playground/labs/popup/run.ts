import type { RunRecord } from './run-record.ts';
import type { PopupScenarioId } from './scenarios.ts';
import {
  type RunPorts,
  type Stage,
  after,
  closeAtMessage,
  closeWindow,
  createStage,
  endStage,
  forgeMessage,
  openWindow,
  settle,
  verifyInFrame,
} from './stage.ts';

/** A running or finished scenario, as the page shows it. */
export interface PopupRun {
  readonly id: PopupScenarioId;
  readonly record: RunRecord;
  /** Ends the run and closes its window. */
  end(): void;
}

const SLOW_MS = 4_000;
const BEFORE_START_MS = 3_000;
/**
 * Delay before the lab acts on the window. It is longer than the time after which the SDK counts a window
 * as working.
 */
const SHOWN_MS = 900;
const CLICK_DELAY_MS = 1_000;

/** Starts a scenario. Must be called in the click, because a window opens only then. */
export function startRun(id: PopupScenarioId, ports: RunPorts): PopupRun {
  const stage = createStage(id, ports);
  SCENES[id](stage);
  return { id, record: stage.record, end: () => endStage(stage) };
}

const SCENES: Readonly<Record<PopupScenarioId, (stage: Stage) => void>> = {
  blocked: (stage) => void verifyInFrame(stage),

  too_late(stage) {
    stage.record.note('lab', 'waits until the click no longer allows a window');
    void whenClickIsOver().then(() => openWindow(stage));
  },

  coop(stage) {
    openWindow(stage, {
      changeVerifyUrl: (verifyUrl) =>
        `${new URL('labs/coop/', new URL('..', verifyUrl))}?next=${encodeURIComponent(verifyUrl)}`,
    });
    stage.record.note('lab', 'opens a page that sends COOP before the hosted page');
    void settle(stage, 'verified');
  },

  opener_lost(stage) {
    const handle = openWindow(stage);
    if (handle) handle.opener = null;
    stage.record.note('lab', 'removes the opener of the window');
    void settle(stage, 'verified');
  },

  closed_early(stage) {
    openWindow(stage);
    void stage.newest.whenOpen().then(() => after(stage, SHOWN_MS, () => closeWindow(stage)));
  },

  closed_before_start(stage) {
    openWindow(stage, { createDelayMs: BEFORE_START_MS });
    after(stage, SHOWN_MS, () => closeWindow(stage));
  },

  closed_after(stage) {
    closeAtMessage(stage);
    openWindow(stage);
    void settle(stage, 'verified');
  },

  slow_create(stage) {
    openWindow(stage, { createDelayMs: SLOW_MS });
    stage.record.note('lab', `delays the create call for ${SLOW_MS / 1_000} s`);
    void settle(stage, 'verified');
  },

  forged(stage) {
    openWindow(stage);
    void stage.newest
      .whenOpen()
      .then(() => forgeMessage(stage))
      .then(() => after(stage, SHOWN_MS, () => void settle(stage, 'failed_age_not_met')));
  },
};

/**
 * Resolves one second after the user activation has expired. If the browser does not report the expiry, it is
 * expected after six seconds, because most browsers let an activation last five.
 */
async function whenClickIsOver(): Promise<void> {
  const untilMs = performance.now() + 6_000;
  const isOver = (): boolean => {
    const { userActivation }: { userActivation?: UserActivation } = navigator;
    return userActivation ? !userActivation.isActive : performance.now() > untilMs;
  };
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 100));
  // The browser's main process counts from the moment when it received the click, which is slightly later.
  await new Promise((resolve) => setTimeout(resolve, CLICK_DELAY_MS));
}
