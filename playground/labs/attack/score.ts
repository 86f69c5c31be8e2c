import type { AttackReport } from './attack.ts';
import { ATTACKS } from './attacks.ts';

export type Outcome =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly report: AttackReport }
  | { readonly state: 'broken'; readonly message: string };

/** Results by attack id. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** The number of finished attacks, and how many of them each shop has stopped. */
export interface Score {
  readonly done: number;
  readonly all: number;
  readonly shopStopped: number;
  readonly carelessStopped: number;
}

export function toScore(outcomes: Outcomes): Score {
  const reports = Object.values(outcomes).flatMap((one) =>
    one.state === 'done' ? [one.report] : [],
  );
  return {
    done: reports.length,
    all: ATTACKS.length,
    shopStopped: reports.filter(({ shop }) => !shop.isIn).length,
    carelessStopped: reports.filter(({ careless }) => !careless.isIn).length,
  };
}
