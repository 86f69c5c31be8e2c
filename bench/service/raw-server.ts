// The upper bound: create and validate of the service, handwritten on node:http without a framework. It has
// similar checks, and the same fields and headers, but no movable clock, no webhooks, and only one other
// path, which settles a session.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Session {
  id: string;
  tenantId: string;
  status: 'pending' | 'verified';
  createdAtMs: number;
  expiresAtMs: number;
  settledAtMs: number | null;
  validatedAtMs: number | null;
  returnUrl: string;
  externalUserId: string | null;
  verificationMode: string;
  challengeAge: number;
  faceMatchEnabled: boolean;
}

const FIELDS: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  merchantId: 'string',
  returnUrl: 'string',
  cancelUrl: 'string',
  merchantName: 'string',
  externalUserId: 'string',
  verificationMode: 'string',
  challengeAge: 'number',
  faceMatchEnabled: 'boolean',
};

const tenant = { id: randomUUID(), allowedDomains: ['shop.example'], limit: 1_000_000 };
const key = { value: `sk_${randomBytes(24).toString('hex')}`, tenant };
const keys = new Map([[key.value, key]]);
const signingKey = randomBytes(32);
const sessions = new Map<string, Session>();
const events = new Map<string, { id: string; sessionId: string; kind: string; atMs: number }>();
const deadlines: { dueMs: number; id: string }[] = [];
const windows = new Map<string, { startedAtMs: number; count: number }>();

function count(operation: string, nowMs: number): number {
  const window = windows.get(operation);
  if (!window || nowMs >= window.startedAtMs + 60_000) {
    windows.set(operation, { startedAtMs: nowMs, count: 1 });
    return tenant.limit - 1;
  }
  window.count += 1;
  return tenant.limit - window.count;
}

function problemsOf(body: Record<string, unknown>): string[] {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const type = FIELDS[name];
    if (!type) problems.push(`property ${name} should not exist`);
    else if (value !== null && typeof value !== type) problems.push(`${name} must be a ${type}`);
  }
  if (typeof body['returnUrl'] !== 'string' || !URL.canParse(body['returnUrl']))
    problems.push('returnUrl must be a URL address');
  return problems;
}

function create(body: Record<string, any>, nowMs: number): [number, object] {
  const problems = problemsOf(body);
  if (problems.length > 0) return [400, { statusCode: 400, message: problems }];
  const host = new URL(body['returnUrl']).hostname;
  if (host !== 'localhost' && !tenant.allowedDomains.includes(host))
    return [400, { statusCode: 400, message: 'Return URL domain not allowed' }];
  const id = randomUUID();
  const session: Session = {
    id,
    tenantId: tenant.id,
    status: 'pending',
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 600_000,
    settledAtMs: null,
    validatedAtMs: null,
    returnUrl: body['returnUrl'],
    externalUserId: body['externalUserId'] ?? null,
    verificationMode: body['verificationMode'] ?? 'L1',
    challengeAge: body['challengeAge'] ?? 25,
    faceMatchEnabled: body['faceMatchEnabled'] ?? true,
  };
  sessions.set(id, session);
  // New deadlines are always the latest, so the array stays sorted.
  deadlines.push({ dueMs: session.expiresAtMs, id });
  const eventId = randomUUID();
  events.set(eventId, { id: eventId, sessionId: id, kind: 'session.started', atMs: nowMs });
  const mac = createHmac('sha256', signingKey).update(`session:1:${id}`).digest('hex');
  const subject = id.replaceAll('-', '');
  const sessionToken = `st1_${subject}${mac.slice(0, 32)}`;
  return [
    201,
    {
      sessionId: id,
      sessionToken,
      verifyUrl: `http://127.0.0.1/verify/?sessionId=${id}&sessionToken=${sessionToken}`,
      expiresAt: new Date(session.expiresAtMs).toISOString(),
      testMode: false,
      sandboxMode: true,
      externalUserId: session.externalUserId,
      faceMatchEnabled: session.faceMatchEnabled,
      handoffToken: `ht1_${subject}${mac.slice(32)}`,
    },
  ];
}

function validate(body: Record<string, any>, nowMs: number): [number, object] {
  const session = sessions.get(body['sessionId']);
  if (!session) return [404, { statusCode: 404, message: 'Session not found' }];
  if (session.validatedAtMs !== null)
    return [400, { statusCode: 400, message: 'Session has already been used' }];
  if (nowMs >= session.expiresAtMs)
    return [400, { statusCode: 400, message: 'Session has expired' }];
  if (session.status !== 'pending') session.validatedAtMs = nowMs;
  const isVerified = session.status === 'verified';
  return [
    200,
    {
      sessionId: session.id,
      merchantId: session.tenantId,
      verified: isVerified,
      accessGranted: isVerified,
      status: session.status,
      verificationMode: session.verificationMode,
      challengeAge: session.challengeAge,
      faceMatchEnabled: session.faceMatchEnabled,
      externalUserId: session.externalUserId,
      testMode: false,
      timestamp: new Date(session.settledAtMs ?? nowMs).toISOString(),
      expiresAt: new Date(session.expiresAtMs).toISOString(),
    },
  ];
}

function settle(id: string, nowMs: number): [number, object] {
  const session = sessions.get(id);
  if (!session) return [404, {}];
  session.status = 'verified';
  session.settledAtMs = nowMs;
  return [200, session];
}

function answer(request: IncomingMessage, text: string, response: ServerResponse): void {
  const nowMs = Date.now();
  const { url = '' } = request;
  const known = keys.get(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
  const operation = url === '/api/v1/sessions/create' ? 'create' : 'validate';
  const remaining = count(operation, nowMs);
  const body = JSON.parse(text) as Record<string, unknown>;
  const outcome = /^\/control\/v1\/sessions\/([^/]+)\/outcome$/.exec(url)?.[1];
  const perform = (): [number, object] => {
    if (outcome !== undefined) return settle(outcome, nowMs);
    if (known?.tenant !== tenant) return [401, { statusCode: 401, message: 'API key required' }];
    return operation === 'create' ? create(body, nowMs) : validate(body, nowMs);
  };
  const [status, result] = perform();
  const json = JSON.stringify(result);
  response.writeHead(status, {
    'X-RateLimit-Limit': tenant.limit,
    'X-RateLimit-Window': 60,
    'X-RateLimit-Remaining': remaining,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
    'cache-control': 'no-store',
  });
  response.end(json);
}

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  request.on('end', () => answer(request, text, response));
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port, secretKey: key.value }));
});
