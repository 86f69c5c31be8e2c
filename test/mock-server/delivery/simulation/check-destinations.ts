import { SECOND, type History } from './history.ts';
import type { Report } from './report.ts';

/** Checks X1, X2, X3, X6 and P8: only allowed addresses are called, within the time limit. */
export function checkDestinations({ trace, formatTime }: History, report: Report): void {
  for (const { atMs, endMs, dials, resolves, behaviour, url } of trace.sent) {
    const name = `${behaviour.kind} ${url} at ${formatTime(atMs)}`;
    for (const dial of dials) {
      report.saw('X1');
      if (!dial.vetted.includes(dial.address)) report.fail('X1', `${name} dialled ${dial.address}`);
      if (!isPublicHere(dial.address)) report.fail('X1', `${name} called a private address`);
      const answers = resolves.filter(({ host }) => host === dial.host);
      if (answers.some(({ answer }) => !answer.every(isPublicHere)))
        report.fail('X3', `${name} dialled although one of its addresses is private`);
    }
    if (behaviour.kind === 'dns_mixed') report.saw('X3');
    if (behaviour.kind === 'dns_flip') report.saw('X2');
    const hosts = resolves.map(({ host }) => host);
    if (new Set(hosts).size !== hosts.length) report.fail('X2', `${name} was resolved twice`);
    if (NOT_DIALLED.has(behaviour.kind)) {
      report.saw('X6');
      if (dials.length > 0) report.fail('X6', `${name} was dialled`);
    }
    report.saw('P8');
    if (endMs !== null && endMs - atMs > 15 * SECOND) report.fail('P8', `${name} took longer`);
    if (dials.length > 6) report.fail('P8', `${name} followed ${dials.length - 1} redirects`);
  }
}

const NOT_DIALLED: ReadonlySet<string> = new Set([
  'dns_mixed',
  'dns_private',
  'dns_empty',
  'dns_fail',
]);

function isPublicHere(address: string): boolean {
  return address === '93.184.216.34';
}
