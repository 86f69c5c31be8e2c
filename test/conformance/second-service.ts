/**
 * A second implementation of the API, written from the interface specification alone. It shares no code with
 * the mock, so a check that passes here too describes the specification and not the mock. It sends no
 * webhooks, and has no pages.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Account, AccountSettings, Driver, SettledStatus } from 'ofage-mock/conformance';

const BASE = 'https://second.example/api/v1';
const LIFETIME_MS = 600_000;
const WINDOW_MS = 60_000;
const LIMITS = { create: 300, validate: 100 };

interface Policy {
  readonly verificationMode: unknown;
  readonly challengeAge: unknown;
  readonly faceMatchEnabled: unknown;
}

interface Limit {
  readonly most: number;
  used: number;
  startedAtMs: number;
}

interface Tenant {
  readonly id: string;
  readonly settings: AccountSettings;
  readonly limits: Record<keyof typeof LIMITS, Limit>;
}

interface Key {
  readonly isSecret: boolean;
  readonly tenant: Tenant;
  readonly pairId: string;
  isActive: boolean;
}

interface Session {
  readonly tenant: Tenant;
  readonly externalUserId: unknown;
  readonly policy: Policy;
  readonly expiresAtMs: number;
  status: 'pending' | SettledStatus;
  settledAtMs: number | null;
  isUsed: boolean;
}

interface Operation {
  readonly name: keyof typeof LIMITS;
  readonly status: number;
  readonly run: (key: Key, body: unknown) => object;
}

class Refusal extends Error {
  readonly status: number;
  readonly messages: string | readonly string[];
  readonly code: string | undefined;

  constructor(status: number, messages: string | readonly string[], code?: string) {
    super(String(messages));
    this.status = status;
    this.messages = messages;
    this.code = code;
  }
}

/** Creates the service: its `fetch`, and the kit's driver in place of its dashboard. */
export function createSecondService() {
  const keys = new Map<string, Key>();
  const tenants = new Map<string, Tenant>();
  const sessions = new Map<string, Session>();
  let nowMs = Date.now();
  const toIso = (ms: number): string => new Date(ms).toISOString();

  function createPair(tenant: Tenant): Omit<Account, 'tenantId'> {
    const pairId = randomUUID();
    const create = (prefix: 'pk' | 'sk'): string => {
      const text = `${prefix}_${randomBytes(16).toString('hex')}`;
      keys.set(text, { isSecret: prefix === 'sk', tenant, pairId, isActive: true });
      return text;
    };
    return { pairId, publishableKey: create('pk'), secretKey: create('sk') };
  }

  const driver = {
    now: async () => nowMs,
    async advance(ms) {
      nowMs += ms;
    },
    async createAccount({ createLimit, validateLimit, ...settings }) {
      const toLimit = (most: number): Limit => ({ most, used: 0, startedAtMs: 0 });
      const tenant: Tenant = {
        id: randomUUID(),
        settings,
        limits: {
          create: toLimit(createLimit ?? LIMITS.create),
          validate: toLimit(validateLimit ?? LIMITS.validate),
        },
      };
      tenants.set(tenant.id, tenant);
      return { tenantId: tenant.id, ...createPair(tenant) };
    },
    createKeyPair: async (tenantId) => createPair(find(tenants, tenantId)),
    async setKeyStatus(key) {
      find(keys, key).isActive = false;
    },
    async settle({ sessionId }, status) {
      const session = find(sessions, sessionId);
      if (session.status !== 'pending') return;
      session.status = status;
      session.settledAtMs = nowMs;
    },
  } satisfies Driver;

  function create({ isSecret, tenant, pairId }: Key, input: unknown): object {
    const body = parse(input, CREATE_FIELDS, ['returnUrl']);
    if (body['merchantId'] !== undefined && body['merchantId'] !== tenant.id)
      throw new Refusal(400, 'merchantId does not match the API key');
    const { billingBlock, sandboxMode = true, allowedDomains = [] } = tenant.settings;
    if (!isAllowed(String(body['returnUrl']), allowedDomains))
      throw new Refusal(400, 'Return URL domain not allowed');
    const pair = [...keys.values()].filter((other) => other.pairId === pairId);
    if (!pair.some((other) => !other.isSecret && other.isActive))
      throw new Refusal(
        503,
        'The launch configuration is incomplete',
        'SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE',
      );
    const { verificationMode, challengeAge, faceMatchEnabled }: Policy = {
      verificationMode: 'L1',
      challengeAge: 25,
      faceMatchEnabled: true,
      ...tenant.settings,
      // A browser cannot be trusted with the policy.
      ...(isSecret && body),
    };
    const sessionId = randomUUID();
    const externalUserId = body['externalUserId'] ?? null;
    const policy = { verificationMode, challengeAge, faceMatchEnabled };
    const expiresAtMs = nowMs + LIFETIME_MS;
    sessions.set(sessionId, {
      tenant,
      externalUserId,
      policy,
      expiresAtMs,
      status: 'pending',
      settledAtMs: null,
      isUsed: false,
    });
    const sessionToken = randomBytes(32).toString('base64url');
    return {
      sessionId,
      sessionToken,
      verifyUrl: `https://verify.second.example/?sessionId=${sessionId}&sessionToken=${sessionToken}`,
      expiresAt: toIso(expiresAtMs),
      testMode: false,
      sandboxMode,
      externalUserId,
      faceMatchEnabled,
      handoffToken: randomBytes(16).toString('base64url'),
      billingBlock,
    };
  }

  function validate({ isSecret, tenant }: Key, input: unknown): object {
    if (!isSecret) throw new Refusal(401, 'Private API key required for session validation');
    const { sessionId } = parse(input, { sessionId: isText }, ['sessionId']);
    const session = sessions.get(String(sessionId));
    if (!session) throw new Refusal(404, 'Session not found');
    if (session.tenant !== tenant) throw new Refusal(403, 'Session does not belong to this tenant');
    if (session.isUsed) throw new Refusal(400, 'Session has already been used');
    if (nowMs >= session.expiresAtMs) throw new Refusal(400, 'Session has expired');
    const { status, policy, externalUserId, settledAtMs, expiresAtMs } = session;
    // A pending session can be validated again when it has a result.
    session.isUsed = status !== 'pending';
    return {
      sessionId,
      merchantId: tenant.id,
      verified: status === 'verified',
      accessGranted: status === 'verified',
      status,
      ...policy,
      externalUserId,
      testMode: false,
      timestamp: toIso(settledAtMs ?? nowMs),
      expiresAt: toIso(expiresAtMs),
    };
  }

  const operations: Readonly<Record<string, Operation>> = {
    [`POST ${BASE}/sessions/create`]: { name: 'create', status: 201, run: create },
    [`POST ${BASE}/sessions/validate`]: { name: 'validate', status: 200, run: validate },
  };

  function authenticate(headers: Headers): Key {
    const [, bearer] = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    const text = bearer ?? headers.get('x-api-key');
    if (text === null) throw new Refusal(401, 'API key required');
    const key = keys.get(text);
    if (!key?.isActive) throw new Refusal(401, 'Invalid API key');
    return key;
  }

  /** Counts a request. Returns false if the window was already full. */
  function count(limit: Limit): boolean {
    if (nowMs >= limit.startedAtMs + WINDOW_MS)
      Object.assign(limit, { used: 0, startedAtMs: nowMs });
    limit.used += 1;
    return limit.used <= limit.most;
  }

  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const request = new Request(url, init);
    const operation = operations[`${request.method} ${url}`];
    const headers = new Headers({ 'content-type': 'application/json' });
    const setLimit = ({ most, used, startedAtMs }: Limit): void => {
      headers.set('x-ratelimit-limit', `${most}`);
      headers.set('x-ratelimit-window', `${WINDOW_MS / 1000}`);
      headers.set('x-ratelimit-remaining', `${Math.max(most - used, 0)}`);
      const secondsLeft = Math.ceil((startedAtMs + WINDOW_MS - nowMs) / 1000);
      if (used > most) headers.set('x-ratelimit-retry-after', `${secondsLeft}`);
    };
    try {
      if (!operation) throw new Refusal(404, 'There is no such path');
      setLimit({ most: LIMITS[operation.name], used: 0, startedAtMs: nowMs });
      const key = authenticate(request.headers);
      const limit = key.tenant.limits[operation.name];
      const isWithin = count(limit);
      setLimit(limit);
      if (!isWithin) throw new Refusal(429, 'Rate limit exceeded');
      const body: unknown = await request.json().catch(() => undefined);
      const result = operation.run(key, body);
      return new Response(JSON.stringify(result), { status: operation.status, headers });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, messages, code } = error;
      const body = {
        statusCode: status,
        message: messages,
        timestamp: toIso(nowMs),
        path: new URL(url).pathname,
        error: STATUS_CODES[status],
        code,
      };
      return new Response(JSON.stringify(body), { status, headers });
    }
  }

  return { apiBase: BASE, fetch, driver };
}

type Guards = Readonly<Record<string, (value: unknown) => boolean>>;
const isText = (value: unknown): boolean => typeof value === 'string';
const CREATE_FIELDS: Guards = {
  returnUrl: isText,
  merchantId: isText,
  cancelUrl: isText,
  merchantName: isText,
  externalUserId: isText,
  verificationMode: (value) => value === 'L1' || value === 'L2',
  challengeAge: (value) => typeof value === 'number' && value >= 25 && value <= 99,
  faceMatchEnabled: (value) => typeof value === 'boolean',
};

/** @throws {Refusal} with one message for each property that is missing, wrong or unknown */
function parse(input: unknown, guards: Guards, required: readonly string[]) {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Refusal(400, ['The body must be a JSON object']);
  const messages = required
    .filter((name) => !Object.hasOwn(input, name))
    .map((name) => `${name} is missing`);
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(guards, name)) messages.push(`property ${name} should not exist`);
    else if (!guards[name]?.(value)) messages.push(`${name} has a wrong value`);
  }
  if (messages.length > 0) throw new Refusal(400, messages);
  return input as Readonly<Record<string, unknown>>;
}

function isAllowed(text: string, domains: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  return ['localhost', '127.0.0.1', ...domains].includes(hostname);
}

function find<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`The second service has no ${id}`);
  return row;
}
