/**
 * The SDK with the reporter. The project `sdk-with-reports` runs the tests of the SDK with it, because a page
 * that reports must behave as one that does not.
 */
import { createReporter } from '../../mock-server/reporter/reporter.ts';
import { reportOn } from '../../mock-server/reporter/report-on.ts';
import { handleReturn as silentHandleReturn, OfAge as SilentOfAge } from '../../src/index.ts';

export * from '../../src/index.ts';

const reporter = createReporter({
  url: 'http://127.0.0.1:4010/reports/v1',
  fetch: async () => new Response(null, { status: 204 }),
});
const whole = Object.assign(SilentOfAge, { handleReturn: silentHandleReturn });
export const OfAge = reportOn(whole, reporter);
export const handleReturn = (...args: Parameters<typeof silentHandleReturn>) =>
  OfAge.handleReturn(...args);
