import { createMockService, type ObservationInput } from 'ofage/mock';
import { expect, it } from 'vitest';
import { keepObservations } from '../../../playground/shared/kept-observations.ts';

function createStorage() {
  const rows = new Map<string, string>();
  return {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
  };
}

const sendTo =
  ({ control }: ReturnType<typeof createMockService>) =>
  (observation: ObservationInput) =>
    control.addObservation(observation);

const GRANTED = { kind: 'access_granted', by: 'careless shop' } as const;

it('tells a new service what another one was told, with its time', async () => {
  const storage = createStorage();
  const first = createMockService({ clock: { frozen: true } });
  const { id: sessionId } = await first.control.trigger({ name: 'verified' });
  await keepObservations(sendTo(first), storage).tell({ ...GRANTED, sessionId });
  await first.clock.advance(60_000);

  const second = createMockService({ clock: { frozen: true } });
  await second.control.loadSnapshot(await first.control.snapshot());
  const [told] = await first.control.observations();
  await keepObservations(sendTo(second), storage).tellAgain();
  expect(await second.control.observations()).toEqual([{ ...told, id: expect.any(Number) }]);
});

it('forgets what is about a session that there is not any more', async () => {
  const storage = createStorage();
  const service = createMockService({ clock: { frozen: true } });
  const { id: sessionId } = await service.control.trigger({ name: 'verified' });
  const kept = keepObservations(sendTo(service), storage);
  await kept.tell({ ...GRANTED, sessionId });
  await service.control.reset();
  await kept.tellAgain();
  expect(storage.getItem('ofage-playground:observations')).toBe('[]');
});

it('keeps nothing that was refused, and copes with what it cannot read', async () => {
  const storage = createStorage();
  const kept = keepObservations(sendTo(createMockService()), storage);
  storage.setItem('ofage-playground:observations', 'no JSON');
  const unknown = { ...GRANTED, sessionId: 'nobody’s' };
  await expect(kept.tell(unknown)).rejects.toThrow('Session not found');
  await kept.tellAgain();
  expect(storage.getItem('ofage-playground:observations')).toBe('[]');
});
