/**
 * Reports what a page of the static playground does with the SDK. The page loads the published file, which
 * reports nothing, and the service runs in the page. The static build therefore loads this script after the
 * SDK and before the page's own code. The mock serves both in one file.
 */
import { REPORTS_PATH } from '../../mock-server/api/brand.ts';
import { createReporter } from '../../mock-server/reporter/reporter.ts';
import { reportOn } from '../../mock-server/reporter/report-on.ts';
import { leaveReports, sendLeftRequests } from './outbox.ts';
import { STATIC_API_ORIGIN } from './site.ts';
import { openStaticService } from './static-service.ts';

const reporter = createReporter({
  url: STATIC_API_ORIGIN + REPORTS_PATH,
  // The service may still be loading.
  fetch: async (url, init) => (await openStaticService()).fetch(new Request(url, init)),
  beacon(_url, body) {
    leaveReports(body);
    // A page that is only hidden, and not closed, sends them itself.
    setTimeout(async () => sendLeftRequests(await openStaticService()));
  },
});
if (window.OfAge) Object.assign(window, { OfAge: reportOn(window.OfAge, reporter) });
