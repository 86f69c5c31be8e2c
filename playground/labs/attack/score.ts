import type { AttackReport } from './attack.ts';
import { ATTACKS } from './attacks.ts';

export type Outcome =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly report: AttackReport }
  | { readonly state: 'broken'; readonly message: string; readonly isOutage: boolean };

/** Results by attack id. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** How many of the finished attacks each shop has held. */
export interface Score {
  readonly done: number;
  readonly all: number;
  readonly shopHeld: number;
  readonly carelessHeld: number;
}

export function toScore(outcomes: Outcomes): Score {
  const reports = Object.values(outcomes).flatMap((one) =>
    one.state === 'done' ? [one.report] : [],
  );
  return {
    done: reports.length,
    all: ATTACKS.length,
    shopHeld: reports.filter(({ shop }) => !shop.isIn).length,
    carelessHeld: reports.filter(({ careless }) => !careless.isIn).length,
  };
}
