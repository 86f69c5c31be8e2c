/** Simulates a verification page with a COOP header, and then redirects to the real one, which has none. */
import '../../shared/base.css';
import '../../shared/console/console.css';
import { SITE_ROOT } from '../../shared/site.ts';
import { nextStop } from './next-stop.ts';

/** Long enough for the shop to see the window as closed, and for a person to read the explanation. */
const STAY_MS = 2_000;

const next = nextStop(location.href, SITE_ROOT.href);
const line = document.getElementById('next');
if (next) setTimeout(() => location.replace(next), STAY_MS);
else if (line)
  line.textContent = 'There is no check to go on with: open this page from the popup lab.';
