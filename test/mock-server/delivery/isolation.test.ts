import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../mock-server/store/clock.ts';
import { answered, createScene } from './scene.ts';

const GOOD = 'https://good.example/hook';
const OTHER = 'https://other.example/hook';

// That it does not change the times of other requests either is P6 of the simulation.
describe('a dead endpoint', () => {
  it('does not delay other endpoints in real time while its requests hang', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const scene = await createScene(
      async (url) => {
        if (url === OTHER) await held;
        return answered(204);
      },
      { endpoints: [OTHER, GOOD].map((url) => ({ url })), realClock: systemClock },
    );
    for (let n = 0; n < 50; n += 1) await scene.control.trigger({ name: 'verified' });
    const good = () => scene.sent.filter(({ url }) => url === GOOD).length;
    while (good() < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    // At most eight requests are in flight until one of them ends.
    expect(scene.sent.filter(({ url }) => url === OTHER)).toHaveLength(8);
    release();
    await scene.service.close();
  });
});
