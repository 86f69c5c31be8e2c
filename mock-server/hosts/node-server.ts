import { createHmac } from 'node:crypto';
import {
  checkNewDestination,
  DESTINATION_MESSAGES,
  type DestinationRules,
  type Resolve,
  toPort,
} from '../send/destination.ts';
import { createNodeResolve, createNodeSender } from '../send/node-sender.ts';
import type { Log } from '../store/log.ts';
import { describeUrl } from '../store/safe-text.ts';
import { createService, type MockService } from '../service/service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { toLoopbackAddress } from '../send/address.ts';
import { listen } from './node-listen.ts';
import { assertServerOptions, type MockServerOptions } from './node-server-options.ts';
import { openData } from './node-data.ts';
import { answerStarting, createRoutes, toAddresses, type Addresses } from './node-routes.ts';
import { assertNewKeys, createDoor, createPublicRoutes } from './node-public.ts';
import { ensureEndpoints, opensLoopback, toTargets } from './webhook-targets.ts';

export type { MockServerOptions } from './node-server-options.ts';

/** A running service: its addresses and its account. */
export interface MockServer {
  /**
   * The base URL for `createClient({ baseUrl })` and for `OFAGE_API_BASE`, such as
   * `http://127.0.0.1:4010/api/v1`.
   */
  readonly apiBase: string;
  readonly controlBase: string;
  /**
   * The URL of the first page, such as `http://localhost:4010/`: the demo shop if `shopBackend` is set,
   * otherwise the console. If `host` is 127.0.0.1 or ::1, it is on a different site than the hosted page.
   */
  readonly shop: string;
  readonly console: string;
  /** The URL of the SDK's bundle, bound to this server. */
  readonly sdkUrl: string;
  /** The address at which other devices reach the hosted page and the API. Null without `publicUrl`. */
  readonly publicUrl: string | null;
  /** The base URL for pages on other devices. Null without `publicUrl`. */
  readonly publicApiBase: string | null;
  readonly tenantId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  /**
   * The secret of the endpoint for `forwardTo` or, if that is unset, of the account's first endpoint. If
   * there is none, it is the secret that the next one will get. Null if that endpoint has no secret.
   */
  readonly webhookSecret: string | null;
  readonly service: MockService;
  readonly control: MockService['control'];
  readonly clock: MockService['clock'];
  /** Closes every connection and the data file or database. Work in progress gets half a second. */
  close(): Promise<void>;
}

/**
 * Starts the whole service as an HTTP server on this machine.
 *
 * @throws {TypeError} if an option does not exist or has an invalid value. Its message names the option.
 * @throws {RangeError} if the host is not a loopback address, or `seed` is out of range.
 * @throws {Error} if the port cannot be used, or `forwardTo` is not a valid address.
 * @throws {LogError} if the data file or the database cannot be used. It is left unchanged. A data file of an
 *   older format is moved aside, which emits a warning of the process.
 *
 * @example
 * ```ts
 * import { startMockServer } from 'ofage-mock/node';
 *
 * const server = await startMockServer({ port: 0 });
 * console.log(server.apiBase, server.secretKey);
 * await server.close();
 * ```
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  assertServerOptions(options);
  return startServer(options);
}

/** Additional options for the command line. */
export interface ProcessOptions extends MockServerOptions {
  /**
   * True if the process exists only for this server, so that its globals may be replaced. @default false
   */
  readonly ownsProcess?: boolean;
  /**
   * The name of the account that is created in a new state. @default the service's own default
   */
  readonly accountName?: string;
  /**
   * Called with a sentence if a data file of an older format was moved aside, or if the file was deleted
   * while the server runs.
   * @default emits a warning of the process
   */
  readonly onWarning?: (warning: string) => void;
  /**
   * The snapshot to begin with. It replaces the state, so the state must be new. @default none
   */
  readonly snapshot?: unknown;
}

export async function startServer(options: ProcessOptions): Promise<MockServer> {
  const { port = 4010, data, forwardTo, shopBackend } = options;
  const host = toLoopbackAddress(options.host ?? '127.0.0.1');
  if (host === null)
    throw new RangeError(
      `host must be localhost or a loopback address, such as 127.0.0.1 or ::1, got "${describeUrl(options.host ?? '')}"`,
    );

  const onWarning = options.onWarning ?? ((warning: string) => process.emitWarning(warning));
  const door = createDoor({ ...options, port }, onWarning);
  if (door) assertNewKeys(options);

  const resolve = createNodeResolve();
  if (forwardTo !== undefined) await assertForwardable(forwardTo, { ownPort: port, resolve });

  // Listens before the data is opened, because URLs contain the port, and because the file must stay
  // untouched if the port is in use.
  let answer = async (request: Request): Promise<Response> => answerStarting(request);
  const { ownsProcess = false } = options;
  const listening = await listen((request) => answer(request), { host, port, ownsProcess });
  let log: Log | undefined;
  let service: MockService | undefined;
  const close = async (): Promise<void> => {
    // Both at once, because responses may wait for the service, for example those of clock moves.
    const stopped = Promise.all([listening.close(), door?.stop()]);
    try {
      await (service ?? log)?.close();
    } finally {
      await stopped;
    }
  };
  // Reading the clock runs a transaction, which loads the entries of other processes. If it fails, the next
  // poll loads them.
  const readNewEntries = (): void => void service?.clock.now().catch(() => {});

  try {
    await door?.listen({ host, ownsProcess });
    const addresses = toAddresses(host, listening.port);
    const targets = toTargets(shopBackend, forwardTo);
    const hostOptions = toServiceOptions(options, addresses, { resolve, publicUrl: door?.url });
    if (data !== undefined)
      log = await openData(data, {
        onForeignEntry: readNewEntries,
        onWarning,
      });
    // A reset recreates these endpoints.
    const endpoints = targets.map((url) => ({ url }));
    service = createService({ ...hostOptions, ...(log && { log }), endpoints }, door);
    if (options.snapshot !== undefined) await service.control.loadSnapshot(options.snapshot);
    const demo = await service.ready;
    const webhookSecret = await ensureEndpoints(service.control, demo, {
      targets,
      isShared: log?.isShared ?? false,
    });
    answer = createRoutes(service, addresses, options);
    door?.open(createPublicRoutes(service, door.url, options));
    return {
      ...toUrls(addresses),
      publicUrl: door?.url ?? null,
      publicApiBase: door ? `${door.url}/api/v1` : null,
      ...demo,
      webhookSecret,
      service,
      control: service.control,
      clock: service.clock,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function toUrls({ origin, shopOrigin }: Addresses) {
  return {
    apiBase: `${origin}/api/v1`,
    controlBase: `${origin}/control/v1`,
    shop: `${shopOrigin}/`,
    console: `${shopOrigin}/console/`,
    sdkUrl: `${origin}/sdk.min.js`,
  };
}

/**
 * Converts the options to those of the service, and adds the addresses, sockets and crypto of this process.
 */
function toServiceOptions(
  options: ProcessOptions,
  { origin }: Addresses,
  { resolve, publicUrl }: { readonly resolve: Resolve; readonly publicUrl: string | undefined },
): ServiceOptions {
  const { seed, tenants, onError, shopBackend, accountName: name } = options;
  const shopOrigins = shopBackend === undefined ? [] : [new URL(shopBackend).origin];
  const allowLoopback = opensLoopback(options) || shopOrigins;
  const ownPort = toPort(new URL(origin));
  return {
    ...(seed !== undefined && { seed }),
    ...(tenants && { tenants }),
    ...(name !== undefined && { tenant: { name } }),
    ...(onError && { onError }),
    apiOrigin: origin,
    verifyUrl: `${publicUrl ?? origin}/verify/`,
    allowLoopbackWebhooks: allowLoopback,
    ownPort,
    resolve,
    sender: createNodeSender({ allowLoopback, ownPort, resolve }),
    // Computes the HMAC in this thread, because for a single message Web Crypto's switch to another thread
    // costs more.
    mac: (key, text) => createHmac('sha256', key).update(text).digest(),
  };
}

async function assertForwardable(
  forwardTo: string,
  rules: Pick<DestinationRules, 'ownPort' | 'resolve'>,
): Promise<void> {
  const destination = await checkNewDestination(forwardTo, { allowLoopback: true, ...rules });
  if (destination.kind === 'allowed') return;
  throw new Error(
    `Cannot forward webhooks to "${describeUrl(forwardTo)}": ${DESTINATION_MESSAGES[destination.error]}`,
  );
}
