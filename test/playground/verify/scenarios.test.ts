import { SCENARIOS } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { isMessageKey } from '../../../playground/verify/messages/index.ts';
import { parseScenarios, scenariosFor } from '../../../playground/verify/scenarios.ts';
import { aSession } from './a-session.ts';

const all = parseScenarios({ items: SCENARIOS });
const namesFor = (fields: Parameters<typeof aSession>[0]) =>
  scenariosFor(all, aSession(fields)).map(({ name }) => name);

describe('the outcomes that the sandbox offers', () => {
  it('are the whole catalogue where all of it can happen', () => {
    expect(namesFor({})).toEqual(SCENARIOS.map(({ name }) => name));
  });

  it('leave out a face mismatch where faces are not matched', () => {
    expect(namesFor({ faceMatchEnabled: false })).not.toContain('failed_face_mismatch');
  });

  it('leave out the document after an estimate where the document comes first', () => {
    expect(namesFor({ verificationMode: 'L2' })).not.toContain('verified_after_id');
  });

  it('have a name in the shopper’s language each', () => {
    for (const { name } of SCENARIOS) expect(isMessageKey(`scenario_${name}`), name).toBe(true);
  });

  it.each([null, 'x', {}, { items: 'x' }, { items: [null, 7, {}] }])('are none in %j', (body) => {
    expect(parseScenarios(body)).toEqual([]);
  });
});
