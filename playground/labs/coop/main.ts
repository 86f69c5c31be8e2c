/** Simulates a hosted page with a COOP header, and then redirects to the real one, which has none. */
import '../../shared/base.css';
import '../../shared/console/console.css';
import { SITE_ROOT } from '../../shared/site.ts';
import { nextStop } from './next-stop.ts';

/**
 * Time before the redirect. The shop must see the window as closed, and a person must be able to read the
 * explanation.
 */
const STAY_MS = 2_000;

const next = nextStop(location.href, SITE_ROOT.href);
const line = document.getElementById('next');
if (next) setTimeout(() => location.replace(next), STAY_MS);
else if (line)
  line.textContent = 'There is no check to continue. Open this page from the popup lab.';
