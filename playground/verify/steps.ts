import { SCENARIOS } from 'ofage/mock/client';
import type { HostedSession } from './hosted-session.ts';

/** A picture that the shopper takes. */
export type Step = 'face' | 'front' | 'back' | 'selfie';

/** The shopper's position in the sequence of pictures. */
export interface Place {
  readonly step: Step;
  /** The index of the picture, from 0. */
  readonly index: number;
  readonly total: number;
}

type Policy = Pick<HostedSession, 'verificationMode' | 'faceMatchEnabled'>;

/**
 * Returns the pictures of a session. L1 needs the face, and a document if the estimate is below the
 * threshold; L2 always needs a document. With face match, a selfie follows the document.
 */
export function stepsFor(session: Policy, isFaceEnough: boolean): readonly Step[] {
  const document: readonly Step[] = session.faceMatchEnabled
    ? ['front', 'back', 'selfie']
    : ['front', 'back'];
  if (session.verificationMode === 'L2') return document;
  return isFaceEnough ? ['face'] : ['face', ...document];
}

/** Tells whether the face estimate alone decides. */
export function isFaceEnoughFor(outcome: string): boolean {
  return knownAfter(outcome) === 'face';
}

/** Tells whether the shopper passes by document after a face estimate that was too low. */
export function isPassedByDocument(outcome: string): boolean {
  return findScenario(outcome)?.outcome === 'verified' && !isFaceEnoughFor(outcome);
}

/** Tells whether the outcome implies unusable pictures. */
export function isImagePoorFor(outcome: string): boolean {
  return findScenario(outcome)?.reason === 'image_quality';
}

/** Tells whether the outcome is known after this picture. */
export function isLastStep(
  session: Policy,
  outcome: string,
  { step }: Pick<Place, 'step'>,
): boolean {
  if (step === 'face') return isFaceEnoughFor(outcome);
  if (step === 'back' && knownAfter(outcome) === 'document') return true;
  // A started document is always completed, even if the outcome was changed to one that does not need it.
  return step === stepsFor(session, false).at(-1);
}

function knownAfter(outcome: string): 'face' | 'document' | 'end' {
  return findScenario(outcome)?.knownAfter ?? 'face';
}

const findScenario = (outcome: string) => SCENARIOS.find(({ name }) => name === outcome);
