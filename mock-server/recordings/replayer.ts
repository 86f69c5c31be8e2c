import type { Sender } from '../delivery/sender.ts';
import type { Replayer } from '../operations/context.ts';
import { createRecordedSender } from './recorded-sender.ts';
import { replayRecording, type ReplayService } from './replay.ts';

/** The options in which a replay's service differs from the service that runs the replay. */
export interface ReplayServiceOptions {
  readonly clock: { readonly now: number; readonly frozen: true };
  /** A fixed seed, so that every replay of a file is the same, including the jitter of retries. */
  readonly seed: number;
  readonly sender: Sender;
}

/** @param open Creates a service that keeps its state in memory. */
export function createReplayer(
  open: (options: ReplayServiceOptions) => ReplayService & { close(): Promise<void> },
): Replayer {
  return {
    async replay(recording) {
      const sender = createRecordedSender(recording.events);
      const service = open({
        clock: { now: Date.parse(recording.startedAt), frozen: true },
        seed: 1,
        sender,
      });
      try {
        return await replayRecording(recording, { service, sender });
      } finally {
        await service.close();
      }
    },
  };
}
