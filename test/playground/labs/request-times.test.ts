import { expect, it } from 'vitest';
import { toRequestTimes } from '../../../playground/labs/webhook/request-times.ts';

const request = (n: number, eventId: string | null, sessionId = 's1') => ({
  n,
  eventId,
  event: 'verification.completed',
  sessionId,
});

it('toRequestTimes() finds the attempt time of each request that belongs to a delivery', () => {
  const deliveries = [
    {
      eventId: 'e1',
      event: 'verification.completed',
      sessionId: 's1',
      attempts: [{ startedAt: '10:00' }, { startedAt: '10:05' }, { startedAt: '11:00' }],
    },
    {
      eventId: 'e2',
      event: 'verification.completed',
      sessionId: 's2',
      attempts: [{ startedAt: '10:01' }],
    },
  ] as const;
  // The receiver has deleted the oldest request of e1. The request without an event id is matched by its
  // event and session.
  const requests = [request(4, 'e1'), request(3, null, 's2'), request(2, 'e1'), request(1, 'test')];
  expect([...toRequestTimes(requests, deliveries)]).toEqual([
    [4, '11:00'],
    [2, '10:05'],
    [3, '10:01'],
  ]);
});
