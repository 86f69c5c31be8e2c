import type { Check } from '../../mock-server/conformance/check.ts';

/**
 * The checks whose result depends on how requests, responses and webhooks travel. All others are about rules
 * of the service, which no host can change.
 */
const TRANSPORT = [
  // The headers of a request.
  'auth.missing',
  'auth.bearer',
  'auth.x-api-key',
  'auth.lower-case-scheme',
  // The bytes of a request.
  'body.create.truncated',
  'body.create.form',
  'body.charset.utf-16',
  'body.charset.utf-8',
  'body.not-utf-8',
  'body.size.limit',
  'body.size.above',
  'body.inherited-names',
  'create.returnUrl.missing',
  'create.externalUserId',
  'create.externalUserId.extremes',
  // Paths and methods, which MSW and node:http route before the service does.
  'routes.unknown',
  'routes.extra-slash',
  'routes.create.method',
  // The status, the headers and the body of a response.
  'session.content-type',
  'limits.create.headers',
  'limits.headers',
  'limits.without-key',
  'mock.fault.429',
  'mock.fault.500',
  'mock.fault.503',
  // Parallel requests.
  'validate.race',
  // The bytes and headers of a webhook, and the response of its receiver.
  'webhooks.signature.bytes',
  'webhooks.signature.content-type',
  'webhooks.endpoints.query',
  'webhooks.retries.accepted',
  'webhooks.retries.completed.refused',
  'webhooks.retries.retry-after.seconds',
  'webhooks.destinations.redirect.not-public',
  'webhooks.destinations.redirect.this-computer',
  'webhooks.destinations.redirect.followed',
];

/** @throws {Error} if one of the listed checks does not exist */
export function findTransportChecks(checks: readonly Check[]): Check[] {
  return TRANSPORT.map((id) => {
    const check = checks.find((one) => one.id === id);
    if (!check) throw new Error(`There is no check "${id}"`);
    return check;
  });
}
