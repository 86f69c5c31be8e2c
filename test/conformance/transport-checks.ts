import { selectChecks } from 'ofage/conformance';

/**
 * The checks whose result depends on how requests, responses and webhooks travel, or the groups of such
 * checks. All others are about rules of the service, which no host can change.
 */
const TRANSPORT = [
  // The headers of a request.
  'auth.create.missing',
  'auth.create.bearer',
  'auth.create.x-api-key',
  'auth.create.lower-case-scheme',
  // The bytes of a request.
  'body.create.truncated',
  'body.create.form',
  'body.charset',
  'body.not-utf-8',
  'body.size',
  'body.inherited-names',
  'create.body.none',
  'create.externalUserId.emoji',
  'create.externalUserId.long',
  // Paths and methods, which MSW and node:http route before the service does.
  'routes.unknown',
  'routes.extra-slash',
  'routes.create.GET',
  'routes.validate.DELETE',
  // The status, the headers and the body of a response.
  'session.content-type',
  'limits.create.headers',
  'limits.headers.no-key',
  'limits.without-account.create.preflight',
  'limits.without-account.unknown-path.preflight',
  'limits.without-account.head',
  'mock.fault',
  // Parallel requests.
  'validate.race',
  // The bytes and headers of a webhook, and the response of its receiver.
  'webhooks.signature.bytes',
  'webhooks.signature.content-type',
  'webhooks.endpoints.query',
  'webhooks.retries.accepted.204',
  'webhooks.retries.completed.500',
  'webhooks.retries.retry-after.429',
  'webhooks.destinations.redirect',
];

export const TRANSPORT_CHECKS = TRANSPORT.flatMap((id) => {
  const checks = selectChecks({ level: 'reading', only: [id] });
  if (checks.length === 0) throw new Error(`The kit has no check "${id}"`);
  return checks;
});
