import { SCENARIOS } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import {
  DOCUMENTS,
  type IdDocument,
  type Step,
  isFaceEnoughFor,
  isLastStep,
  outcomesFor,
  stepsFor,
} from '../../../playground/verify/steps.ts';
import { isMessageKey } from '../../../playground/verify/messages/index.ts';
import { aSession } from './a-session.ts';

/** Returns the pictures that the shopper takes until the result is known. */
function taken(
  fields: Parameters<typeof aSession>[0],
  outcome: string,
  document?: IdDocument,
): string {
  const session = aSession(fields);
  const pictures: Step[] = [];
  for (const step of stepsFor(session, isFaceEnoughFor(outcome), document)) {
    pictures.push(step);
    if (isLastStep(session, outcome, { step, ...(document && { document }) })) break;
  }
  return pictures.join(' ');
}

describe('the pictures of a verification', () => {
  it.each([
    { mode: 'L1', match: true, outcome: 'verified', steps: 'face' },
    { mode: 'L1', match: true, outcome: 'verified_after_id', steps: 'face front back selfie' },
    { mode: 'L1', match: false, outcome: 'verified_after_id', steps: 'face front back' },
    { mode: 'L1', match: true, outcome: 'failed_age_not_met', steps: 'face front back' },
    { mode: 'L1', match: true, outcome: 'failed_document_rejected', steps: 'face front back' },
    { mode: 'L1', match: true, outcome: 'failed_face_mismatch', steps: 'face front back selfie' },
    { mode: 'L1', match: true, outcome: 'never', steps: 'face' },
    { mode: 'L2', match: true, outcome: 'verified', steps: 'front back selfie' },
    { mode: 'L2', match: false, outcome: 'verified', steps: 'front back' },
    { mode: 'L2', match: true, outcome: 'failed_age_not_met', steps: 'front back' },
    { mode: 'L2', match: true, outcome: 'failed_document_rejected', steps: 'front back' },
    { mode: 'L2', match: true, outcome: 'failed_face_mismatch', steps: 'front back selfie' },
    { mode: 'L2', match: true, outcome: 'verified_after_id', steps: 'front back selfie' },
  ] as const)(
    'in $mode with face match $match and outcome $outcome are: $steps',
    ({ mode, match, outcome, steps }) => {
      expect(taken({ verificationMode: mode, faceMatchEnabled: match }, outcome)).toBe(steps);
    },
  );

  it.each(['verified', 'never', 'failed_image_quality'])(
    'end after the selfie, or without face match after the document, if the outcome is changed to %s',
    (outcome) => {
      expect(isLastStep(aSession(), outcome, { step: 'back' })).toBe(false);
      expect(isLastStep(aSession(), outcome, { step: 'selfie' })).toBe(true);
      const noMatch = aSession({ faceMatchEnabled: false });
      expect(isLastStep(noMatch, outcome, { step: 'front' })).toBe(false);
      expect(isLastStep(noMatch, outcome, { step: 'back' })).toBe(true);
    },
  );

  it.each(DOCUMENTS)('end for every scenario with the document %s', (document) => {
    for (const { name } of SCENARIOS) {
      const last = stepsFor(aSession(), isFaceEnoughFor(name), document).at(-1);
      expect(isLastStep(aSession(), name, { step: last ?? 'face', document }), name).toBe(true);
    }
  });
});

describe('the outcomes that the sandbox offers', () => {
  const all = SCENARIOS.map(({ name }) => name);

  it.each([
    { of: 'L1 with face match', fields: {}, missing: [] },
    {
      of: 'L1 without face match',
      fields: { faceMatchEnabled: false },
      missing: ['failed_face_mismatch'],
    },
    // L2 starts with the document.
    { of: 'L2', fields: { verificationMode: 'L2' }, missing: ['verified_after_id'] },
  ] as const)('are those that are possible in $of', ({ fields, missing }) => {
    const offered = outcomesFor(aSession(fields));
    expect(all.filter((name) => !offered.includes(name))).toEqual(missing);
  });

  it('all have a translated name', () => {
    expect(all.filter((name) => !isMessageKey(`scenario_${name}`))).toEqual([]);
  });
});
