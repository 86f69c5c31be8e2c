import { SCENARIOS } from 'ofage/mock/client';
import type { HostedSession } from './hosted-session.ts';

/** One picture that the shopper takes. */
export type Step = 'face' | 'front' | 'back' | 'selfie';

/** Where a shopper stands among the pictures. */
export interface Place {
  readonly step: Step;
  /** From 0. */
  readonly index: number;
  readonly total: number;
}

type Policy = Pick<HostedSession, 'verificationMode' | 'faceMatchEnabled'>;

/**
 * The pictures of a session. L1 looks at the face, and at a document where the estimate is below the
 * threshold; L2 always looks at a document. With face match, a selfie follows the document.
 */
export function stepsFor(session: Policy, isFaceEnough: boolean): readonly Step[] {
  const document: readonly Step[] = session.faceMatchEnabled
    ? ['front', 'back', 'selfie']
    : ['front', 'back'];
  if (session.verificationMode === 'L2') return document;
  return isFaceEnough ? ['face'] : ['face', ...document];
}

/** Whether the estimate alone decides. */
export function isFaceEnoughFor(outcome: string): boolean {
  return knownAfter(outcome) === 'face';
}

/** Whether the shopper passes although the estimate asked for a document. */
export function isPassedByDocument(outcome: string): boolean {
  return findScenario(outcome)?.outcome === 'verified' && !isFaceEnoughFor(outcome);
}

/** Whether the pictures of a check that ends so are not usable. */
export function isImagePoorFor(outcome: string): boolean {
  return findScenario(outcome)?.reason === 'image_quality';
}

/** Whether it is known after this picture how the check ends. */
export function isLastStep(
  session: Policy,
  outcome: string,
  { step }: Pick<Place, 'step'>,
): boolean {
  if (step === 'face') return isFaceEnoughFor(outcome);
  if (step === 'back' && knownAfter(outcome) === 'document') return true;
  // Who shows a document shows all of it, even if the outcome was changed to one that needs none.
  return step === stepsFor(session, false).at(-1);
}

function knownAfter(outcome: string): 'face' | 'document' | 'end' {
  return findScenario(outcome)?.knownAfter ?? 'face';
}

const findScenario = (outcome: string) => SCENARIOS.find(({ name }) => name === outcome);
