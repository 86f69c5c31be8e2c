import { type ReadonlySignal, computed, effect, signal } from '@preact/signals';
import type { Recording, RecordingState, ReplayResult } from 'ofage/mock';
import { formatError } from '../shared/kit/format-error.ts';
import { announce, attempt } from '../shared/kit/toast.tsx';
import type { Provider } from '../shared/provider.ts';
import { toCount } from '../shared/to-count.ts';

/** The recording in progress, the loaded recording and the result of its replay. */
export interface Recordings {
  /** The recording in progress, or null. Another tab or the command line may have started it. */
  readonly current: ReadonlySignal<RecordingState | null>;
  readonly loaded: ReadonlySignal<Recording | null>;
  /** The result of replaying `loaded`. */
  readonly result: ReadonlySignal<ReplayResult | null>;
  /** The error message of the last load or replay, or null. */
  readonly problem: ReadonlySignal<string | null>;
  start(name: string): Promise<boolean>;
  /** Stops the recording and loads it. */
  stop(): Promise<boolean>;
  load(text: string): Promise<void>;
  replay(): Promise<void>;
  /** Replaces the state of the service with the state at the end of the replay. */
  openResult(): Promise<boolean>;
  /** Follows the state of the recording. @returns a function that stops it */
  follow(): () => void;
}

export function createRecordings({ client, live }: Provider): Recordings {
  const state = signal<RecordingState | null>(null);
  const loaded = signal<Recording | null>(null);
  const result = signal<ReplayResult | null>(null);
  const problem = signal<string | null>(null);

  function show(recording: Recording): void {
    loaded.value = recording;
    result.value = null;
    problem.value = null;
  }

  /** Runs `work`. If it fails, `problem` gets its error message. */
  async function run(work: () => Promise<void>): Promise<void> {
    problem.value = null;
    await work().catch((error: unknown) => (problem.value = formatError(error)));
  }

  return {
    current: computed(() => (state.value?.isRecording ? state.value : null)),
    loaded,
    result,
    problem,
    start: (name) =>
      attempt(async () => {
        state.value = await client.startRecording({ name });
        announce('Recording');
      }),
    stop: () =>
      attempt(async () => {
        const recording = await client.stopRecording();
        state.value = null;
        show(recording);
        announce(`Recorded ${toCount(recording.steps.length, 'step')}`);
      }),
    load: (text) =>
      run(async () => {
        show(await client.checkRecording(parseJson(text)));
        announce(`Loaded ${loaded.value?.name}`);
      }),
    async replay() {
      result.value = null;
      await run(async () => void (result.value = await client.replay(loaded.value)));
    },
    openResult: () =>
      attempt(async () => {
        if (!result.value) return;
        await client.loadSnapshot(result.value.snapshot);
        announce('Loaded the state at the end of the replay');
      }),
    follow: () => followState({ client, live }, (next) => (state.value = next)),
  };
}

function followState(
  { client, live }: Pick<Provider, 'client' | 'live'>,
  take: (state: RecordingState | null) => void,
): () => void {
  const { query, close } = live.openQuery({
    topics: ['recording'],
    read: () => client.recording(),
  });
  const stop = effect(() => take(query.data.value));
  return () => {
    stop();
    close();
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('Cannot use the recording: the file is not JSON', { cause });
  }
}
