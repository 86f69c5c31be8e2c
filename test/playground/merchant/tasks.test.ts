import { describe, expect, it } from 'vitest';
import {
  GUIDE_MARK,
  type OnRecord,
  TASKS,
  TASK_IDS,
  achievedIn,
  parseDone,
} from '../../../playground/merchant/tasks.ts';

const NOTHING: OnRecord = { sessions: [], orders: [], endpoint: null, deliveries: [] };
const anEndpoint = (state: string) => ({ health: { state } }) as NonNullable<OnRecord['endpoint']>;

describe('the tasks', () => {
  it.each([
    [{}, []],
    [{ sessions: [{ status: 'pending' }, { status: 'verified' }] }, []],
    [{ orders: [{ number: 'K-1' }] }, ['purchase']],
    [{ sessions: [{ status: 'failed' }] }, ['failed']],
    [{ sessions: [{ status: 'cancelled' }, { status: 'expired' }] }, ['cancelled', 'expired']],
    [{ sessions: [{ status: 'cancelled', returnUrl: `https://shop.example/${GUIDE_MARK}` }] }, []],
    [{ endpoint: anEndpoint('failing') }, []],
    [{ endpoint: anEndpoint('paused') }, ['paused']],
    [{ deliveries: [{ status: 'delivered', redeliveries: 0 }] }, []],
    [{ deliveries: [{ status: 'pending', redeliveries: 1 }] }, []],
    [{ deliveries: [{ status: 'delivered', redeliveries: 1 }] }, ['redelivered']],
  ] as const)('achieved with the record %o are %o', (record, achieved) => {
    expect(achievedIn({ ...NOTHING, ...(record as Partial<OnRecord>) })).toEqual(achieved);
  });

  it('have one entry for each id, in display order', () => {
    expect(TASKS.map(({ id }) => id)).toEqual(TASK_IDS);
  });

  it.each([
    [null, []],
    ['', []],
    ['failed purchase', ['purchase', 'failed']],
    ['failed nonsense', ['failed']],
  ] as const)('parse the stored text %s as %o', (text, done) => {
    expect(parseDone(text)).toEqual(done);
  });
});
