import type { RealClock } from '../core/clock.ts';
import type { Db } from '../core/db.ts';
import type { Transaction } from '../core/store.ts';
import type { AttemptOutcome } from '../webhooks/attempts.ts';
import { claimTest, finishTest, type TestClaim } from '../webhooks/test-events.ts';
import type { Moment } from '../core/moment.ts';
import type { SentWebhook } from './explain-signature.ts';
import { signAndHash, type BodySigner } from './sign-and-hash.ts';
import { sendBody } from './send-body.ts';
import type { Sender } from './sender.ts';

export interface TestResult {
  readonly outcome: AttemptOutcome;
  /** True if the test ended a pause. */
  readonly isResumed: boolean;
}

export interface SentTest extends SentWebhook {
  readonly tenantId: string;
}

export interface WebhookTester {
  /**
   * The last 100 signed tests, newest first. Tests are not stored as events, but developers can ask why
   * the signature of a test does not verify.
   */
  readonly sent: readonly SentTest[];
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

const REMEMBERED = 100;

export function createWebhookTester(options: WebhookTesterOptions): WebhookTester {
  const { transact, momentIn, clock, sender, sign = signAndHash } = options;
  const sent: SentTest[] = [];
  function remember(claim: TestClaim, { signature }: AttemptOutcome): void {
    if (signature === null) return;
    const { endpointId, tenantId, url, bodyText } = claim;
    sent.unshift({ endpointId, tenantId, label: url, body: bodyText, signature });
    sent.splice(REMEMBERED);
  }
  return {
    sent,
    async test(endpointId, { isResume }) {
      const claim = await transact((db) => claimTest(db, endpointId, momentIn(db)));
      const outcome = await sendBody(claim, { clock, sender, sign });
      remember(claim, outcome);
      const isResumed = await transact((db) =>
        finishTest(db, claim, outcome, isResume, momentIn(db).nowMs),
      );
      return { outcome, isResumed };
    },
  };
}
