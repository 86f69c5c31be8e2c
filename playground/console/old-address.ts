import { siteUrl } from '../shared/site.ts';
import { replaceOldAddress } from './route.ts';

// Leads from /dashboard/, /inspector/ and /doctor/, which were pages of their own, to the console.
const [oldPage = ''] = location.pathname.split('/').slice(-2);
location.replace(siteUrl('console/') + replaceOldAddress(oldPage, location.hash));
