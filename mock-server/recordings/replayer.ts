import type { Sender } from '../delivery/sender.ts';
import type { Replayer } from '../operations/context.ts';
import { createRecordedSender } from './recorded-sender.ts';
import { replayRecording, type ReplayService } from './replay.ts';

/** The options in which the service of a replay differs from the one that runs it. */
export interface ReplayServiceOptions {
  readonly clock: { readonly now: number; readonly frozen: true };
  /** Makes every replay of a file the same, the jitter of retries included. */
  readonly seed: number;
  readonly sender: Sender;
}

/** @param open Makes a service that keeps its state in memory. */
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
