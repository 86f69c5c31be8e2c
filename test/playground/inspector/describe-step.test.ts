import { expect, it } from 'vitest';
import { describeStep } from '../../../playground/inspector/describe-step.ts';

it.each([
  [
    { operation: 'api.create', by: '$key2', body: {}, status: 201, creates: ['$session1'] },
    'api.create by $key2 → 201 creates $session1',
  ],
  [
    { operation: 'api.validate', by: '$key2', body: { sessionId: '$session1' }, status: 403 },
    'api.validate by $key2 of $session1 → 403',
  ],
  [
    { operation: 'hosted.continue', by: '$session1', device: 'second' as const, status: 200 },
    'hosted.continue by $session1 on the second device → 200',
  ],
  [
    { operation: 'addFault', args: [{ operation: 'create', fault: '503' }], creates: ['$fault1'] },
    'addFault {"operation":"create","fault":"503"} creates $fault1',
  ],
  [
    { operation: 'createKeyPair', args: ['$account1'], creates: ['$pair2', '$key3', '$key4'] },
    'createKeyPair $account1',
  ],
])('describeStep() returns "$1"', (step, line) => {
  expect(describeStep({ atMs: 0, ...step })).toBe(line);
});
