// Run by ../postgres.ts. Keeps `inFlight` requests in flight over all servers, each for the next account.
import { openConnection } from '../connection.ts';

export interface LoadOrder {
  /** Each server with the secret keys of the accounts for which it gets requests. */
  readonly servers: readonly { readonly port: number; readonly keys: readonly string[] }[];
  readonly inFlight: number;
  readonly milliseconds: number;
}

export interface LoadReport {
  readonly creates: number;
  readonly seconds: number;
  /** CPU time of this process, in microseconds. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const BODY = JSON.stringify({
  returnUrl: 'http://localhost/return?order=1',
  externalUserId: 'customer-1',
  challengeAge: 30,
});

async function run({ servers, inFlight, milliseconds }: LoadOrder): Promise<LoadReport> {
  const connections = await Promise.all(
    Array.from({ length: inFlight }, async (_, n) => {
      const { port, keys } = servers[n % servers.length] ?? { port: 0, keys: [] };
      return { send: await openConnection(port), requests: keys.map(toRequest) };
    }),
  );
  const latencies: number[] = [];
  let sent = 0;
  const cpuAtStart = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    connections.map(async ({ send, requests }) => {
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
  const { user, system } = process.cpuUsage(cpuAtStart);
  return {
    creates: latencies.length,
    seconds,
    cpuUs: user + system,
    p50Ms: latencies[latencies.length >> 1] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

function toRequest(key: string): string {
  const head = `POST /api/v1/sessions/create HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}`;
  const type = `content-type: application/json\r\ncontent-length: ${BODY.length}`;
  return `${head}\r\n${type}\r\n\r\n${BODY}`;
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as LoadOrder)));
process.exit();
