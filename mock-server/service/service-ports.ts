import { checkNewDestination, type Destination } from '../send/destination.ts';
import { createFetchSender, type Sender } from '../send/sender.ts';
import { type RealClock, systemClock } from '../store/clock.ts';
import type { Log } from '../store/log.ts';
import { createMemoryLog } from '../store/logs/memory.ts';
import { createSeededRandom, type Random, systemRandom } from '../store/random.ts';
import type { ServiceOptions } from './service-options.ts';

/** The dependencies of the service on its environment: those in the options, and defaults for the rest. */
export interface ServicePorts {
  readonly log: Log;
  readonly clock: RealClock;
  readonly random: Random;
  readonly sender: Sender;
  readonly resolveDestination: (url: string) => Promise<Destination>;
  /** Interval for finding work that another process left in the log. Milliseconds; 0 turns it off. */
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
}

export function toServicePorts(options: ServiceOptions): ServicePorts {
  const log = options.log ?? createMemoryLog();
  const allowLoopback = options.allowLoopbackWebhooks ?? false;
  return {
    log,
    clock: options.realClock ?? systemClock,
    random: options.seed === undefined ? systemRandom : createSeededRandom(options.seed),
    sender: options.sender ?? createFetchSender({ allowLoopback }),
    resolveDestination: (url) =>
      checkNewDestination(url, {
        allowLoopback,
        ...(options.resolve && { resolve: options.resolve }),
      }),
    pollMs: options.pollMs ?? (log.isShared ? 1000 : 0),
    // Called in a microtask, so that a callback that throws does not stop the service.
    onError: (error) => queueMicrotask(() => options.onError?.(error)),
  };
}
