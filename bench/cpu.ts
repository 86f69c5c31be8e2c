import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the CPU time of all threads of a process so far in microseconds, including garbage collection and
 * compilation. Returns null where /proc is not available. Reads nanoseconds, because /proc/PID/stat counts
 * in hundredths of a second, which can be four percent of a phase.
 */
export function readCpuUs(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const times = threads.map((thread) =>
      Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'), 10),
    );
    return times.reduce((sum, ns) => sum + ns, 0) / 1000;
  } catch {
    return null;
  }
}

/** Returns the CPU time of a process and all its children, including those that have exited. */
export function readTreeCpuUs(pid: number): number | null {
  const own = readCpuUs(pid);
  if (own === null) return null;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The fields after the name contain the user and system time of exited children, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) * 10_000;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
  return children
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + (readCpuUs(Number(child)) ?? 0), own + ended);
}
