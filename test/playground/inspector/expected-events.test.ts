import { describe, expect, it } from 'vitest';
import { compareEvents } from '../../../playground/inspector/expected-events.ts';
import { finishRecording, startNotes } from '../../../playground/inspector/recorder.ts';
import type { ExpectedEvent } from '../../../playground/inspector/scenario-file.ts';
import { aProvider } from './a-provider.ts';

const failed: ExpectedEvent = {
  session: 'anna',
  event: 'verification.failed',
  atMs: 60_000,
  reason: 'age_not_met',
  delivery: 'delivered',
};

describe('two runs', () => {
  it.each<[string, Partial<ExpectedEvent>, string[]]>([
    ['nothing', {}, []],
    ['a second, which is within what real time costs', { atMs: 61_000 }, []],
    ['more than a second', { atMs: 61_001 }, ['1 s 1 ms later than before']],
    ['a minute to the other side', { atMs: 0 }, ['1 min earlier than before']],
    ['the reason', { reason: null }, ['reason null, before age_not_met']],
    ['the delivery', { delivery: 'undelivered' }, ['delivery undelivered, before delivered']],
    ['whether it was sent', { delivery: null }, ['delivery not sent, before delivered']],
  ])('differ by %s', (_by, change, differences) => {
    const replayed = { ...failed, ...change };
    expect(compareEvents([failed], [replayed])).toEqual([
      { session: 'anna', event: failed.event, recorded: failed, replayed, differences },
    ]);
  });

  it('are held together session by session, also when one has the same event twice', () => {
    const other = { ...failed, session: 'ben' };
    const compared = compareEvents([failed, other, failed], [other, failed]);
    expect(compared.map(({ session, differences }) => [session, differences])).toEqual([
      ['anna', []],
      ['ben', []],
      ['anna', ['did not happen again']],
    ]);
  });
});

describe('a recorded endpoint', () => {
  it('answers from the start as it did when it was first asked', async () => {
    const { service, provider, tell } = aProvider();
    const notes = startNotes((await service.clock.now()).getTime());
    await tell('gone');
    await service.clock.advance(60_000);
    await service.control.trigger({ name: 'verified' });
    await service.clock.advance(1_000);
    const { steps } = await finishRecording(provider, notes, 'Gone', []);
    expect(steps.map(({ atMs, do: what }) => [atMs, what])).toEqual([
      [0, 'answer'],
      [60_000, 'create'],
      [60_000, 'settle'],
    ]);
    expect(steps[0]).toMatchObject({ with: 'gone' });
    await service.close();
  });
});
