import { SCENARIOS } from 'ofage-mock/client';
import type { HostedSession } from './hosted-session.ts';

type ScenarioName = (typeof SCENARIOS)[number]['name'];

/** The outcome, unless the sandbox or the session has another. */
export const DEFAULT_OUTCOME: ScenarioName = 'verified';

/** A picture that the shopper takes. */
export type Step = 'face' | 'front' | 'back' | 'selfie';

/** The documents that the shopper can choose from. The choice is not sent to the service. */
export const DOCUMENTS = ['id_card', 'passport', 'driving_licence'] as const;
export type IdDocument = (typeof DOCUMENTS)[number];

/** The shopper's position in the sequence of pictures. */
export interface Place {
  readonly step: Step;
  /** The index of the picture, from 0. */
  readonly index: number;
  readonly total: number;
  readonly document: IdDocument;
}

type Policy = Pick<HostedSession, 'verificationMode' | 'faceMatchEnabled'>;

/**
 * Returns the pictures of a session. L1 needs the face, and a document if the estimate is below the
 * threshold. L2 always needs a document. A passport has only one page to photograph. With face match, a
 * selfie follows the document.
 */
export function stepsFor(
  session: Policy,
  isFaceEnough: boolean,
  document: IdDocument = 'id_card',
): readonly Step[] {
  if (session.verificationMode === 'L1' && isFaceEnough) return ['face'];
  return [
    ...(session.verificationMode === 'L1' ? (['face'] as const) : []),
    ...sidesOf(document),
    ...(session.faceMatchEnabled ? (['selfie'] as const) : []),
  ];
}

const sidesOf = (document: IdDocument): readonly Step[] =>
  document === 'passport' ? ['front'] : ['front', 'back'];

/** Tells whether the face estimate alone decides. */
export function isFaceEnoughFor(outcome: string): boolean {
  return knownAfter(outcome) === 'face';
}

/** Tells whether the outcome implies unusable pictures. */
export function isImagePoorFor(outcome: string): boolean {
  return findScenario(outcome)?.reason === 'image_quality';
}

/** Tells whether the outcome is known after this picture. */
export function isLastStep(
  session: Policy,
  outcome: string,
  { step, document = 'id_card' }: Pick<Place, 'step'> & Partial<Pick<Place, 'document'>>,
): boolean {
  if (step === 'face') return isFaceEnoughFor(outcome);
  if (step === sidesOf(document).at(-1) && knownAfter(outcome) === 'document') return true;
  // A started document is always completed, even if the outcome was changed to one that does not need it.
  return step === stepsFor(session, false, document).at(-1);
}

/** Returns the outcomes that the sandbox offers in this session. */
export function outcomesFor(session: Policy): readonly ScenarioName[] {
  return SCENARIOS.filter(
    ({ name, outcome, needsFaceMatch }) =>
      (session.faceMatchEnabled || !needsFaceMatch) &&
      // L2 has no face estimate that could require a document.
      (session.verificationMode === 'L1' || outcome !== 'verified' || isFaceEnoughFor(name)),
  ).map(({ name }) => name);
}

function knownAfter(outcome: string): 'face' | 'document' | 'end' {
  return findScenario(outcome)?.knownAfter ?? 'face';
}

const findScenario = (outcome: string) => SCENARIOS.find(({ name }) => name === outcome);
