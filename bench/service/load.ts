// The load process. Keeps N requests in flight on N connections and reads the server's CPU time.
import { openConnection } from '../connection.ts';
import { readCpuUs } from '../cpu.ts';

/** One kind of request, sent until `most` requests or `mostMs` milliseconds are reached. */
export interface Phase {
  method: string;
  /** `{id}` is replaced by a session id, here and in the body. */
  path: string;
  body: string;
  headers: Record<string, string>;
  /** True if the phase sends one request for each id that earlier phases have collected. */
  takesIds: boolean;
  /** True if the phase collects the session id of each response. */
  collectsIds: boolean;
  most: number;
  mostMs: number;
  status: number;
}

export interface LoadOrder {
  port: number;
  pid: number;
  inFlight: number;
  phases: Phase[];
}

export interface PhaseReport {
  requests: number;
  seconds: number;
  /** CPU time of the server in microseconds per request. Null if /proc is not available. */
  cpuUs: number | null;
  p50Ms: number;
  p99Ms: number;
  /** Number of responses with an unexpected status. */
  wrong: number;
}

async function run({ port, pid, inFlight, phases }: LoadOrder): Promise<PhaseReport[]> {
  const connections = await Promise.all(
    Array.from({ length: inFlight }, () => openConnection(port)),
  );
  const ids: string[] = [];
  const reports: PhaseReport[] = [];
  for (const phase of phases) {
    const head = Object.entries({ host: `127.0.0.1:${port}`, ...phase.headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const queue = phase.takesIds ? ids.slice(0, phase.most) : [];
    const most = phase.takesIds ? queue.length : phase.most;
    const latencies: number[] = [];
    let sent = 0;
    let wrong = 0;
    const cpuBefore = readCpuUs(pid);
    const startedAt = performance.now();
    await Promise.all(
      connections.map(async (send) => {
        while (sent < most && performance.now() - startedAt < phase.mostMs) {
          const id = queue[sent] ?? '';
          sent += 1;
          const body = phase.body.replace('{id}', id);
          const path = phase.path.replace('{id}', id);
          const at = performance.now();
          const answer = await send(
            `${phase.method} ${path} HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
          );
          latencies.push(performance.now() - at);
          if (answer.status !== phase.status) wrong += 1;
          else if (phase.collectsIds) {
            const found = /"(?:sessionId|id)": ?"?([\w-]+)/.exec(answer.body)?.[1];
            if (found !== undefined) ids.push(found);
          }
        }
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuAfter = readCpuUs(pid);
    latencies.sort((a, b) => a - b);
    const requests = latencies.length;
    reports.push({
      requests,
      seconds,
      cpuUs: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests,
      p50Ms: latencies[requests >> 1] ?? Number.NaN,
      p99Ms: latencies[Math.floor(requests * 0.99)] ?? Number.NaN,
      wrong,
    });
  }
  return reports;
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as LoadOrder)));
process.exit();
