import type { RealClock } from '../store/clock.ts';
import type { Db } from '../store/db.ts';
import type { Transaction } from '../store/store.ts';
import type { AttemptOutcome } from '../rules/attempts.ts';
import { claimTest, finishTest } from '../rules/test-events.ts';
import type { Moment } from '../store/moment.ts';
import { signAndHash, type BodySigner } from './sign-and-hash.ts';
import { sendBody } from './send-body.ts';
import type { Sender } from './sender.ts';

export interface TestResult {
  readonly outcome: AttemptOutcome;
  /** True if the test ended a pause. */
  readonly isResumed: boolean;
}

export interface WebhookTester {
  /**
   * @throws {ServiceError} not_found if the endpoint does not exist; conflict if it cannot be tested now
   */
  test(endpointId: string, options: { isResume: boolean }): Promise<TestResult>;
}

export interface WebhookTesterOptions {
  transact<T>(run: Transaction<T>): Promise<T>;
  momentIn(db: Db): Moment;
  readonly clock: RealClock;
  readonly sender: Sender;
  /** @default signAndHash, which uses Web Crypto */
  readonly sign?: BodySigner;
}

export function createWebhookTester(options: WebhookTesterOptions): WebhookTester {
  const { transact, momentIn, clock, sender, sign = signAndHash } = options;
  return {
    async test(endpointId, { isResume }) {
      const claim = await transact((db) => claimTest(db, endpointId, momentIn(db)));
      const outcome = await sendBody(claim, { clock, sender, sign });
      const isResumed = await transact((db) =>
        finishTest(db, claim, outcome, isResume, momentIn(db).nowMs),
      );
      return { outcome, isResumed };
    },
  };
}
