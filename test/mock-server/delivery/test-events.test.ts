import { describe, expect, it } from 'vitest';
import { answered, createScene, HOUR, MINUTE } from './scene.ts';

describe('a test event', () => {
  it('does not affect the health of a URL that was set while it was in flight', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { control, endpointId, health, sent } = await createScene(async () => {
      await held;
      return answered(204);
    });
    const testing = control.testEndpoint(endpointId);
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
    release();
    expect(await testing).toMatchObject({ success: true, resumed: false });
    expect(await health()).toMatchObject({ state: 'healthy', lastSuccessAt: null });
    await expect(control.redeliver(endpointId)).rejects.toThrow(/none was sent yet/);
  });

  it('is refused if the endpoint fails and has a request in flight, is disabled or does not exist', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    const scene = await createScene(async () => {
      if (isHeld) await held;
      return answered(500);
    });
    const { control, endpointId, complete, advance, sent } = scene;
    await complete();
    await advance(HOUR);
    isHeld = true;
    const moving = advance(10 * MINUTE);
    const requests = sent.length;
    while (sent.length === requests) await new Promise((resolve) => setImmediate(resolve));
    await expect(control.testEndpoint(endpointId)).rejects.toThrow(/in progress/);
    release();
    await moving;
    await control.updateEndpoint(endpointId, { enabled: false });
    await expect(control.testEndpoint(endpointId)).rejects.toThrow(/disabled/);
    await expect(control.testEndpoint('nobody')).rejects.toThrow(/not found/);
  });
});
