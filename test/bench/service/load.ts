// The second process: keeps N requests in flight on as many connections, and reads the server's CPU time.
import { openConnection } from '../connection.ts';
import { readCpuUs } from '../cpu.ts';

/** One kind of request, sent until there were enough of them or the time is over. */
export interface Phase {
  method: string;
  /** `{id}` stands for a session's id, here and in the body. */
  path: string;
  body: string;
  headers: Record<string, string>;
  /** Takes ids that an earlier phase has collected, each once. */
  takesIds: boolean;
  /** Keeps what the answer has in its `sessionId`. */
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
  /** Of the server, microseconds a request; null where /proc does not tell. */
  cpuUs: number | null;
  p50Ms: number;
  p99Ms: number;
  /** Answers with another status. */
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
