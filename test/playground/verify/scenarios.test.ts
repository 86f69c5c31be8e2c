import { SCENARIOS } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { isMessageKey } from '../../../playground/verify/messages/index.ts';
import { parseScenarios, scenariosFor } from '../../../playground/verify/scenarios.ts';
import { aSession } from './a-session.ts';

const all = parseScenarios({ items: SCENARIOS });
const namesFor = (fields: Parameters<typeof aSession>[0]) =>
  scenariosFor(all, aSession(fields)).map(({ name }) => name);

describe('the outcomes of the sandbox', () => {
  it('exclude a face mismatch if face match is disabled', () => {
    expect(namesFor({ faceMatchEnabled: false })).not.toContain('failed_face_mismatch');
  });

  it('exclude verified_after_id in L2, which starts with the document', () => {
    expect(namesFor({ verificationMode: 'L2' })).not.toContain('verified_after_id');
  });

  it('all have a translated name', () => {
    for (const { name } of SCENARIOS) expect(isMessageKey(`scenario_${name}`), name).toBe(true);
  });

  it.each([null, 'x', {}, { items: 'x' }, { items: [null, 7, {}] }])(
    'are empty for the response %j',
    (body) => {
      expect(parseScenarios(body)).toEqual([]);
    },
  );
});
