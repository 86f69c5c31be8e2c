// Run by webhooks.ts. Runs a day of retries of 10,000 events over the given number of dead endpoints.
import { createMockService } from '../../mock-server/service/service.ts';

const endpoints = Number(process.argv[2]);
const EVENTS = 10_000;
const PER_TENANT = Math.min(20, endpoints);
let requests = 0;

const service = createMockService({
  clock: { now: Date.UTC(2026, 0, 1), frozen: true },
  // Real time is frozen, so that only the clock move is measured.
  realClock: { now: () => Date.UTC(2026, 0, 1), wakeAt: () => () => {} },
  sender: {
    async send() {
      requests += 1;
      return { kind: 'response', status: 500, retryAfter: null, address: null, hops: 0 };
    },
  },
});
await service.ready;
const { control, clock } = service;
for (let made = 0; made < endpoints; made += PER_TENANT) {
  const { id } = await control.createTenant({ rateLimits: { create: 1_000_000 } });
  await control.createKeyPair(id);
  for (let n = 0; n < PER_TENANT; n += 1) {
    const url = `https://shop.example/${n}`;
    await control.createEndpoint(id, { url, events: ['verification.completed'] });
  }
  // Each event goes to every endpoint of its account.
  const events = (EVENTS / endpoints) * PER_TENANT;
  for (let n = 0; n < events / PER_TENANT; n += 1)
    await control.trigger({ name: 'verified', tenantId: id });
}
const began = performance.now();
await clock.advance(24 * 3_600_000);
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ requests, seconds }));
await service.close();
