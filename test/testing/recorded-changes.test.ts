import { createMockService, type Log } from 'ofage-mock';
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryLog } from '../../mock-server/store/logs/memory.ts';
import { recordChanges } from '../../mock-server/testing/recorded-changes.ts';

const FAULT = { operation: 'create', fault: '500', count: 5 } as const;

/** Records the changes on a service whose storage can refuse the next writes. */
async function aRecord() {
  let refusals = 0;
  const memory = createMemoryLog();
  const log: Log = {
    ...memory,
    commit(batch) {
      if (refusals === 0) return memory.commit(batch);
      refusals -= 1;
      return Promise.reject(new Error('The disk is full'));
    },
  };
  const service = createMockService({ log });
  onTestFinished(() => service.close());
  await service.ready;
  return {
    ...recordChanges(service.control, service.clock),
    service,
    refuse: (count: number) => (refusals = count),
  };
}

it('the end of a test says nothing of its used-up fault, although another test has one', async () => {
  const { control, undo, service } = await aRecord();
  const { id } = await control.addFault(FAULT);
  await service.control.deleteFault(id);
  const kept = await service.control.addFault(FAULT);
  await undo();
  expect(await service.control.faults()).toEqual([kept]);
});

it('the end of a test fails if its fault cannot be deleted, and is still there', async () => {
  const { control, undo, service, refuse } = await aRecord();
  const left = await control.addFault(FAULT);
  refuse(1);
  await expect(undo()).rejects.toThrow('The disk is full');
  expect(await service.control.faults()).toEqual([left]);
});

it('a test that freezes the clock twice ends with a clock that runs', async () => {
  const { clock, undo, service } = await aRecord();
  await clock.freeze();
  await clock.freeze();
  await undo();
  expect((await service.clock.read()).frozen).toBe(false);
});

it('the controls of a test do what those of the mock do', async () => {
  const { control, clock, service } = await aRecord();
  expect(Object.keys(control)).toEqual(Object.keys(service.control));
  expect(Object.keys(clock)).toEqual(Object.keys(service.clock));
  const fault = await control.addFault(FAULT);
  expect(await control.faults()).toEqual([fault]);
  expect(await clock.freeze()).toMatchObject({ frozen: true });
  expect(await clock.resume()).toMatchObject({ frozen: false });
});
