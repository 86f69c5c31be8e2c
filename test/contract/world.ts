import type {
  Control,
  EventResource,
  KeyPairResource,
  ServiceClock,
  TenantInput,
} from 'ofage/mock';

/** A way to reach the service: in process, through MSW, or over a socket. */
export interface ContractHost {
  /** Sends a request to a path of the service's origin. */
  send(path: string, init: RequestInit): Promise<Response>;
  readonly control: Control;
  readonly clock: ServiceClock;
  /** A receiver for this host's webhooks, and the webhooks that it has received. */
  readonly receiver: Receiver;
  close(): Promise<void>;
}

export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
}

export interface ReceivedWebhook {
  readonly headers: Headers;
  readonly bodyText: string;
}

export interface Call {
  readonly path: string;
  readonly init: RequestInit;
}

export interface Created {
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly handoffToken: string;
  readonly expiresAt: string;
}

/** A new account on a running host, with a frozen clock. */
export interface World {
  readonly host: ContractHost;
  readonly control: Control;
  readonly tenantId: string;
  readonly pair: KeyPairResource;
  readonly pk: string;
  readonly sk: string;
  now(): Promise<string>;
  /** Creates a session, and fails unless the status is 201. */
  create(body?: object, key?: string): Promise<Created>;
  events(sessionId: string): Promise<EventResource[]>;
}

export const RETURN_URL = 'https://shop.example/return';
export const CREATE = '/api/v1/sessions/create';
export const VALIDATE = '/api/v1/sessions/validate';

export async function createWorld(host: ContractHost, tenant: TenantInput = {}): Promise<World> {
  const { control, clock } = host;
  await clock.freeze();
  const { id } = await control.createTenant({ allowedDomains: ['shop.example'], ...tenant });
  const pair = await control.createKeyPair(id);
  const sk = pair.secret.value;
  return {
    host,
    control,
    tenantId: id,
    pair,
    pk: pair.publishable.value,
    sk,
    now: async () => (await clock.now()).toISOString(),
    async create(body = {}, key = sk) {
      const { path, init } = post(CREATE, { returnUrl: RETURN_URL, ...body }, key);
      const response = await host.send(path, init);
      if (response.status !== 201)
        throw new Error(`The session was not created: ${await response.text()}`);
      return (await response.json()) as Created;
    },
    events: (sessionId) => control.events({ sessionId }),
  };
}

/** Returns a JSON request with a Bearer key. */
export function post(path: string, body: unknown, key?: string): Call {
  return postText(path, JSON.stringify(body), {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  });
}

export function postText(path: string, body: string, headers: Record<string, string>): Call {
  return { path, init: { method: 'POST', headers, body } };
}
