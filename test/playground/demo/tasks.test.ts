import { describe, expect, it } from 'vitest';
import {
  type OnRecord,
  TASK_IDS,
  achievedIn,
  findNextTask,
  parseDone,
} from '../../../playground/demo/tasks.ts';

const NOTHING: OnRecord = { sessions: [], orders: [], endpoint: null, deliveries: [] };
const anEndpoint = (state: string) => ({ health: { state } }) as NonNullable<OnRecord['endpoint']>;

type ASession = OnRecord['sessions'][number];
type ADelivery = OnRecord['deliveries'][number];
const aSession = (
  status: ASession['status'],
  returnUrl = 'https://shop.example/return/',
): ASession => ({ id: 's1', status, returnUrl });
/**
 * Creates a delivery whose first attempt the shop rejected. If it is delivered, a second attempt succeeded.
 */
const aDelivery = (
  sessionId: string,
  status: ADelivery['status'] = 'undelivered',
  redeliveries = 0,
): ADelivery => {
  const httpStatuses = status === 'delivered' ? [401, 204] : [401];
  const attempts = httpStatuses.map((httpStatus) => ({ httpStatus })) as ADelivery['attempts'];
  return { sessionId, status, redeliveries, attempts };
};

describe('the tasks', () => {
  it.each([
    [{}, []],
    [{ sessions: [aSession('pending'), aSession('verified')] }, []],
    [{ orders: [{ number: 'K-1' }] }, ['purchase']],
    [{ sessions: [aSession('failed')] }, ['failed']],
    [{ sessions: [aSession('cancelled'), aSession('expired')] }, ['cancelled', 'expired']],
    [{ sessions: [aSession('cancelled', 'http://localhost/')] }, []],
    [{ endpoint: anEndpoint('failing'), deliveries: [aDelivery('triggered')] }, []],
    [{ endpoint: anEndpoint('paused'), deliveries: [aDelivery('triggered')] }, ['paused']],
    [
      {
        endpoint: anEndpoint('paused'),
        sessions: [aSession('pending')],
        deliveries: [aDelivery('s1')],
      },
      ['paused'],
    ],
    [{ endpoint: anEndpoint('paused'), deliveries: [aDelivery('of another visitor')] }, []],
    [{ endpoint: anEndpoint('paused') }, []],
    [{ deliveries: [aDelivery('triggered', 'delivered', 0)] }, []],
    [{ deliveries: [aDelivery('triggered', 'pending', 1)] }, []],
    [{ deliveries: [aDelivery('triggered', 'delivered', 1)] }, ['redelivered']],
    [{ deliveries: [aDelivery('of another visitor', 'delivered', 1)] }, []],
    [
      { deliveries: [aDelivery('triggered'), aDelivery('triggered', 'delivered', 1)] },
      ['redelivered'],
    ],
    [{ deliveries: [aDelivery('triggered', 'delivered', 1), aDelivery('triggered')] }, []],
  ] as const)('achieved with the record %o are %o', (record, achieved) => {
    const whole = { ...NOTHING, ...(record as Partial<OnRecord>) };
    expect(achievedIn(whole, ['triggered'])).toEqual(achieved);
  });

  it.each([
    [[], 'purchase'],
    [['purchase'], 'failed'],
    [['failed'], 'cancelled'],
    [['failed', 'paused'], 'redelivered'],
    [['purchase', 'failed', 'redelivered'], 'cancelled'],
    [TASK_IDS, undefined],
  ] as const)('continue with $1 after $0', (done, next) => {
    expect(findNextTask(done)?.id).toBe(next);
  });

  it.each([
    [null, []],
    ['', []],
    ['failed purchase', ['failed', 'purchase']],
    ['failed nonsense', ['failed']],
  ] as const)('are read from the stored text "%s" as %o', (text, done) => {
    expect(parseDone(text)).toEqual(done);
  });
});
