/**
 * The part that the mock appends to the SDK's script. The SDK has already set its global and has called
 * `define()`, so both get the constructor that reports.
 */
import { quietly } from './during-call.ts';
import { createReporter } from './reporter.ts';
import { reportOn } from './report-on.ts';

declare global {
  /** The address of the reports, which the mock fills in. */
  const OFAGE_REPORTS_URL: string;
}

interface Globals {
  OfAge?: Parameters<typeof reportOn>[0];
  define?: ((name: string, dependencies: string[], factory: () => unknown) => void) & {
    amd?: unknown;
  };
  requirejs?: { undef?(name: string): void };
}

quietly(() => {
  const page = globalThis as Globals;
  const { OfAge, define, requirejs } = page;
  if (typeof document !== 'object' || !OfAge) return;
  // The browser's own function, because the page may replace it to watch or to test its own requests.
  const send = fetch;
  const reporter = createReporter({
    url: OFAGE_REPORTS_URL,
    fetch: (url, init) => send.call(globalThis, url, init),
  });
  const Reporting = reportOn(OfAge, reporter);
  page.OfAge = Reporting;
  if (!define?.amd) return;
  // RequireJS keeps the first definition of a name.
  quietly(() => requirejs?.undef?.('ofage'));
  quietly(() => define('ofage', [], () => Reporting));
});
