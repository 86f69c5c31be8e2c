import type { EndpointResource } from 'ofage-mock';
import { isDemoUrl } from '../../mock-server/api/brand.ts';

/** Tells whether an endpoint is that of the demo shop's own server, and not one of the user. */
export function isDemoEndpoint({ url }: Pick<EndpointResource, 'url'>): boolean {
  return isDemoUrl(url);
}
