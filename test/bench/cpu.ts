import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time of all threads of a process so far, microseconds: garbage collection and compilation included. Read
 * in nanoseconds, because /proc/PID/stat counts in hundredths of a second, four percent of a phase. Null where
 * /proc does not tell.
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

/** The same of a process with all its children, those that have ended included. */
export function readTreeCpuUs(pid: number): number | null {
  const own = readCpuUs(pid);
  if (own === null) return null;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // After the name; user and system time of children that have ended, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) * 10_000;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
  return children
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + (readCpuUs(Number(child)) ?? 0), own + ended);
}
