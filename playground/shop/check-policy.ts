/** What the shop requires of a check, as set in its account. */
export interface CheckPolicy {
  /** `L2` asks every shopper for an ID. */
  readonly verificationMode: 'L1' | 'L2';
  readonly challengeAge: number;
}

/** The age from which the shop sells. */
export const SELLS_FROM = 18;

/** Describes the check for the shopper. */
export function describeCheck(policy: CheckPolicy | null): string {
  if (policy === null) return 'The age check takes about a minute.';
  if (policy.verificationMode === 'L2')
    return 'For the age check you need an ID. It takes a minute.';
  return `The age check takes about a minute: a selfie, and an ID if you look under ${policy.challengeAge}.`;
}

/** Explains in one sentence why the challenge age is higher than the shop's age limit. */
export function explainChallengeAge({ challengeAge }: CheckPolicy): string {
  return `Why ${challengeAge}? It is the challenge age: a selfie gives only an estimate, so ${challengeAge} leaves a margin above ${SELLS_FROM}.`;
}
