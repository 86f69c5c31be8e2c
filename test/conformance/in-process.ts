import {
  createControlDriver,
  type KitOptions,
  type Receiver,
} from '../../mock-server/conformance/index.ts';
import type { MockService } from '../../mock-server/index.ts';

/** Returns the options of a kit for a service in this process, with requests through the global `fetch`. */
export function toKitOptions(service: MockService, receiver?: Receiver): KitOptions {
  return {
    apiBase: `${service.apiOrigin}/api/v1`,
    // The driver creates an account with keys for each check.
    secretKey: 'unused',
    publishableKey: 'unused',
    driver: createControlDriver(service),
    receiver,
  };
}

/** Returns a `fetch` that passes requests to the service without a network. */
export const fetchOf =
  (service: MockService): NonNullable<KitOptions['fetch']> =>
  (url, init) =>
    service.fetch(new Request(url, init));
