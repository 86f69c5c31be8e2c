import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, type Mock } from '../../support/a-mock.ts';

let my: Mock;
let sessionId: string;
beforeEach(async () => {
  my = await aMock();
  ({ sessionId } = await my.create());
});

type Row = readonly [call: string, body: object | undefined, message: unknown];

const tenants: readonly Row[] = [
  [{ policy: { challengeAge: 10 } }, ['policy.challengeAge must not be less than 25']],
  [
    JSON.parse(
      '{"policy":{"__proto__":{},"age":1,"challengeAge":"x"},"rateLimits":[],"billingBlock":{}}',
    ),
    [
      'property policy.__proto__ should not exist',
      'property policy.age should not exist',
      'rateLimits must be an object',
      'policy.challengeAge must be a number conforming to the specified constraints',
      'billingBlock.code should not be empty',
      'billingBlock.message should not be empty',
    ],
  ],
  [
    { members: [{ email: 'a@b.example', role: 'owner' }, { name: 'Anna' }] },
    [
      'property members.1.name should not exist',
      'members.1.email should not be empty',
      'members.1.role should not be empty',
    ],
  ],
  [
    { allowedDomains: ['https://shop.example'] },
    ['each value in allowedDomains must be a host such as shop.example, or *.shop.example'],
  ],
  [{ rateLimits: { create: 0 } }, ['rateLimits.create must not be less than 1']],
  [{ secret: 'x', name: 1 }, ['property secret should not exist', 'name must be a string']],
].map(([body, message]) => ['POST /tenants', body as object, message]);

const NO_DATE = 'must be a date, or a date and time with its zone, such as 2026-01-31T12:00:00Z';

const clock: readonly Row[] = [
  ['POST /clock/advance', { ms: -1 }, ['ms must not be less than 0']],
  ['POST /clock/advance', { ms: 0.5 }, ['ms must be an integer number']],
  ['POST /clock/advance', {}, ['ms must be an integer number']],
  ['POST /clock/advance', { ms: 1e300 }, ['ms must not be greater than 253402300799999']],
  ...[
    'soon',
    '2099-02-30T00:00:00Z',
    '2099-01-01T24:00:00Z',
    // Without a time zone, the time would depend on the machine.
    '2099-01-01T00:00:00',
  ].map((now): Row => ['POST /clock/set', { now }, [`now ${NO_DATE}, got "${now}"`]]),
  ['POST /clock/set', {}, [`now ${NO_DATE}`]],
  [
    'POST /clock/set',
    { now: '2025-12-31T00:00:00Z' },
    'Time only moves forward: the clock shows 2026-01-01T00:00:00.000Z, got 2025-12-31T00:00:00.000Z',
  ],
];

const url = 'https://shop.example/webhooks';
const endpoints: readonly Row[] = [
  [{ url: 'http://shop.example/' }, ['url must use https']],
  [{ url: `https://shop.example/${'ü'.repeat(400)}` }, [expect.stringContaining('at most 2048')]],
  [{ url: 'https://127.0.0.1/' }, ['url must point to a public Internet address']],
  [{}, ['url should not be empty', 'url must be a string']],
  [{ url, events: [] }, ['events should not be empty']],
  [
    { url, events: Array(21).fill('session.started') },
    ['events must contain no more than 20 elements'],
  ],
  [{ url, secret: '' }, ['secret should not be empty']],
  [{ url, pairId: 'unknown' }, ['pairId must be the id of a key pair of this account']],
].map(([body, message]) => ['POST /tenants/{tenant}/webhook-endpoints', body as object, message]);

const ONE_OF = 'must be one of the following values';
const faults: readonly Row[] = [
  [{ fault: '500' }, [`operation ${ONE_OF}: create, validate, hosted, webhook`]],
  [
    { operation: 'create', fault: 'duplicate' },
    [`fault ${ONE_OF} for create: 429, 500, 503, slow, malformed`],
  ],
  [
    { operation: 'webhook', fault: 'malformed' },
    [`fault ${ONE_OF} for webhook: 401, 410, 429, 500, 503, slow, hang, reset, duplicate`],
  ],
  [{ operation: 'create', fault: '500', count: 0 }, ['count must not be less than 1']],
  [
    { operation: 'create', fault: 'slow', delayMs: 1e9 },
    ['delayMs must not be greater than 600000'],
  ],
].map(([body, message]) => ['POST /faults', body as object, message]);

const nextOutcomes: readonly Row[] = [
  [{ outcomes: [] }, ['outcomes should not be empty']],
  [{}, ['outcomes must be an array']],
].map(([body, message]) => ['POST /tenants/{tenant}/next-outcomes', body as object, message]);

const observations: readonly Row[] = [
  [{}, [`kind ${ONE_OF}: access_granted, url_status_trusted, webhook_processed`]],
  [{ kind: 'webhook_processed' }, ['eventId should not be empty', 'eventId must be a string']],
  [{ kind: 'access_granted', at: 'now' }, [`at ${NO_DATE}, got "now"`]],
  [
    { kind: 'access_granted', by: 'x'.repeat(101) },
    ['by must be shorter than or equal to 100 characters'],
  ],
  [{ kind: 'access_granted', status: 1 }, ['property status should not exist']],
].map(([body, message]) => ['POST /observations', body as object, message]);

const lists: readonly Row[] = [
  ['/sessions?status=done', [`status ${ONE_OF}: pending, verified, failed, cancelled, expired`]],
  ['/sessions?limit=0', ['limit must be an integer from 1 to 1000']],
  ['/sessions?state=pending', ['property state should not exist']],
  ['/events?__proto__=1', ['property __proto__ should not exist']],
  ['/sessions?before=zzz', ['before must be the id of an item of this list, got "zzz"']],
  ['/deliveries?before=', ['before must be the id of an item of this list, got ""']],
  ['/requests?before=zzz', ['before must be an integer from 1 to 9007199254740991']],
  ['/requests?status=9', ['status must be an integer from 100 to 599']],
  ['/doctor?session=1', ['property session should not exist']],
].map(([path, message]) => [`GET ${path as string}`, undefined, message]);

describe('the control API rejects with 400', () => {
  it.each([
    ...tenants,
    ...clock,
    ...endpoints,
    ...faults,
    ...nextOutcomes,
    ...observations,
    ...lists,
  ])('%s with %j', async (call, body, message) => {
    const [method = '', path = ''] = call.replace('{tenant}', my.tenantId).split(' ');
    const sent = path === '/observations' ? { sessionId, ...body } : body;
    const answer = await my.call(method, path, sent);
    expect(answer).toMatchObject({ status: 400, body: { message } });
    expect(answer.body.path).toBe(`/control/v1${path.split('?')[0]}`);
  });
});

describe('the control API', () => {
  it.each<[string, object | undefined, number, string]>([
    ['GET /nothing', undefined, 404, 'Cannot GET /control/v1/nothing'],
    ['GET /tenants/unknown', undefined, 404, 'Tenant not found'],
    ['GET /doctor?sessionId=unknown', undefined, 404, 'Session not found'],
    ['GET /doctor?tenantId=unknown', undefined, 404, 'Tenant not found'],
    ['POST /observations', { kind: 'access_granted', sessionId: 'x' }, 404, 'Session not found'],
    ['POST /faults', { operation: 'create', fault: '500', tenantId: 'x' }, 404, 'Tenant not found'],
    ['POST /webhook-endpoints/unknown/rotate-secret', undefined, 404, 'Webhook endpoint not found'],
    ['DELETE /state', undefined, 405, 'Cannot DELETE /control/v1/state'],
  ])('rejects %s with %j, %i and "%s"', async (call, body, statusCode, message) => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await my.call(method, path, body);
    expect(answer.status).toBe(statusCode);
    expect(answer.body).toMatchObject({ statusCode, message });
  });

  it('rejects an endpoint for the key pair of another account, when it is created and changed', async () => {
    const other = await my.control.createTenant({ name: 'Another shop' });
    const { pairId } = await my.control.createKeyPair(other.id);
    const { id } = await my.control.createEndpoint(my.tenantId, { url });
    const rejected = expect.objectContaining({
      message: 'pairId must be the id of a key pair of this account',
    });
    const create = my.control.createEndpoint(my.tenantId, { url, pairId });
    await expect(create).rejects.toEqual(rejected);
    await expect(my.control.updateEndpoint(id, { pairId })).rejects.toEqual(rejected);
  });

  it('rejects a form, because any page could send one', async () => {
    const path = '/control/v1/clock/advance';
    const headers = { 'content-type': 'text/plain' };
    expect((await my.request(path, { headers, body: { ms: 1 } })).status).toBe(415);
  });
});
