import type { Behaviour } from './scenario.ts';

/** One request of the engine and its outcome, as the network saw it. */
export interface Sent {
  /** The number of the request, from 1. */
  readonly no: number;
  /** The number of the process that sent it, from 0. */
  readonly process: number;
  readonly atMs: number;
  readonly url: string;
  readonly bodyText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly behaviour: Behaviour;
  readonly resolves: { host: string; answer: readonly string[] }[];
  readonly dials: { host: string; address: string; vetted: readonly string[] }[];
  /** True if the receiver has handled the event. */
  isHandled: boolean;
  /** Time at which the engine had the result, or at which the request ended after the process died. */
  endMs: number | null;
  /** True if the process that sent it died before it had the result. */
  isOrphan: boolean;
}
