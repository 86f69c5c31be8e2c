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

/** Whether the estimate alone lets the shopper pass. Nobody fails by their looks: a document decides. */
export function isFaceEnoughFor(outcome: string): boolean {
  return !AFTER_DOCUMENT.has(outcome);
}

/** Whether it is known after this picture how the check ends. */
export function isLastStep(
  session: Policy,
  outcome: string,
  { step }: Pick<Place, 'step'>,
): boolean {
  if (step === 'face') return isFaceEnoughFor(outcome);
  if (step === 'back' && KNOWN_FROM_DOCUMENT.has(outcome)) return true;
  // Who shows a document shows all of it, even if the outcome was changed to one that needs none.
  return step === stepsFor(session, false).at(-1);
}

const KNOWN_FROM_DOCUMENT: ReadonlySet<string> = new Set([
  'failed_age_not_met',
  'failed_document_rejected',
]);

const AFTER_DOCUMENT: ReadonlySet<string> = new Set([
  ...KNOWN_FROM_DOCUMENT,
  'verified_after_id',
  'failed_face_mismatch',
]);
