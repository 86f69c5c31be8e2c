// Run by service.ts in a new process each time. Prints one measurement without HTTP as JSON.
import { createMockService } from '../../mock-server/service/service.ts';

const gc = (globalThis as { gc?: () => void }).gc ?? (() => {});

/** Measures heap and time per session at each size. Sessions are created through the service's `fetch`. */
async function memory(sizes: readonly number[]) {
  const service = createMockService({ clock: { frozen: true } });
  const create = await createCreator(service);
  await create(500);
  gc();
  const before = process.memoryUsage().heapUsed;
  let count = 0;
  const rows = [];
  for (const size of sizes) {
    // Starts a new minute for each size, because an account can send at most a million requests per minute.
    await service.clock.advance(60_000);
    const startedAt = performance.now();
    await create(size - count);
    const microseconds = ((performance.now() - startedAt) * 1000) / (size - count);
    count = size;
    gc();
    const heap = process.memoryUsage().heapUsed - before;
    rows.push({ size, bytes: heap / size, microseconds });
  }
  return rows;
}

/** Measures how long it takes to move the clock over the deadlines of `jobs` sessions. */
async function clock(jobs: number) {
  const service = createMockService({ clock: { frozen: true } });
  await (
    await createCreator(service)
  )(jobs);
  const startedAt = performance.now();
  await service.clock.advance(600_000);
  const milliseconds = performance.now() - startedAt;
  const [session] = await service.control.sessions({ limit: 1 });
  if (session?.status !== 'expired') throw new Error('Cannot move the clock over the deadlines');
  return { jobs, milliseconds };
}

async function createCreator(service: ReturnType<typeof createMockService>) {
  const { secretKey, tenantId } = await service.ready;
  await service.control.updateTenant(tenantId, {
    rateLimits: { create: 1_000_000, validate: 1_000_000 },
  });
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ returnUrl: 'http://localhost/return', externalUserId: 'customer' });
  const url = 'https://api.ofage.example/api/v1/sessions/create';
  const createOne = async (): Promise<void> => {
    const answer = await service.fetch(new Request(url, { method: 'POST', headers, body }));
    if (answer.status !== 201) throw new Error(`Cannot create: ${await answer.text()}`);
  };
  return async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 100) {
      await Promise.all(Array.from({ length: Math.min(100, count - done) }, createOne));
    }
  };
}

/** Measures how long `createMockService()` takes, and how long until the keys of the first account exist. */
async function creation() {
  const startedAt = performance.now();
  const service = createMockService();
  const created = performance.now() - startedAt;
  await service.ready;
  return { created, ready: performance.now() - startedAt };
}

function measure(what: string | undefined, argument: string): Promise<unknown> {
  if (what === 'memory') return memory(argument.split(',').map(Number));
  if (what === 'clock') return clock(Number(argument));
  return creation();
}

const [what, argument = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measure(what, argument)));
process.exit();
