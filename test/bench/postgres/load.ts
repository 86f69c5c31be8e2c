// Run by ../postgres.ts: keeps so many requests in flight over all servers, each for the next account.
import { openConnection } from '../connection.ts';

export interface LoadOrder {
  readonly ports: readonly number[];
  /** Secret keys, one an account. */
  readonly keys: readonly string[];
  readonly inFlight: number;
  readonly milliseconds: number;
}

export interface LoadReport {
  readonly creates: number;
  readonly seconds: number;
  /** Of this process, microseconds. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const BODY = JSON.stringify({
  returnUrl: 'http://localhost/return?order=1',
  externalUserId: 'customer-1',
  challengeAge: 30,
});

async function run({ ports, keys, inFlight, milliseconds }: LoadOrder): Promise<LoadReport> {
  const connections = await Promise.all(
    Array.from({ length: inFlight }, (_, n) => openConnection(ports[n % ports.length] ?? 0)),
  );
  const requests = keys.map(
    (key) =>
      `POST /api/v1/sessions/create HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  );
  const latencies: number[] = [];
  let sent = 0;
  const startedAt = performance.now();
  await Promise.all(
    connections.map(async (send) => {
      while (performance.now() - startedAt < milliseconds) {
        const request = requests[sent % requests.length] ?? '';
        sent += 1;
        const at = performance.now();
        const { status, body } = await send(request);
        if (status !== 201) throw new Error(`Cannot create a session: ${status} ${body}`);
        latencies.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const { user, system } = process.cpuUsage();
  return {
    creates: latencies.length,
    seconds,
    cpuUs: user + system,
    p50Ms: latencies[latencies.length >> 1] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as LoadOrder)));
process.exit();
