import * as v from 'valibot';
import { DESTINATION_MESSAGES } from '../../send/destination.ts';
import { isDomainEntry } from '../../rules/allowed-domains.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import {
  choice,
  optionalChoice,
  optionalFlag,
  optionalInteger,
  optionalNumber,
  optionalText,
  requiredText,
} from '../input/fields.ts';
import { TIMEOUT_ATTEMPTS_MAX } from '../../rules/webhook-limits.ts';

// The schemas of the control API's input, for its methods and its HTTP routes. The matching types are in
// api/, so that the public types do not depend on the schema library.

const DOMAIN_MESSAGE =
  'each value in allowedDomains must be a host such as shop.example, or *.shop.example';

/** Pattern that approximates isDomainEntry() for /openapi.json: a host, with an optional `*.` in front. */
const DOMAIN_PATTERN =
  /^(\*\.)?(\[[\dA-Fa-f:.]+\]|[^\s/\\?#@*%<>^|:.]([^\s/\\?#@*%<>^|:]*[^\s/\\?#@*%<>^|:.])?)$/;

/** Pattern for the form of every destination: see send/destination.ts. */
const DESTINATION_PATTERN =
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\x00-\x20\x7f-\x9f\s\\/][^\x00-\x20\x7f-\x9f\s\\]*$/;

const aDestination = <const S extends v.GenericSchema<unknown, string>>(text: S) =>
  v.pipe(
    text,
    v.url(DESTINATION_MESSAGES.invalid_url),
    v.regex(DESTINATION_PATTERN, ({ input }) =>
      /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(input)
        ? DESTINATION_MESSAGES.not_https
        : DESTINATION_MESSAGES.invalid_url,
    ),
  );

export const tenantInput = v.object({
  name: optionalText('name'),
  policy: v.nullish(
    v.object({
      verificationMode: optionalChoice('policy.verificationMode', ['L1', 'L2']),
      challengeAge: optionalNumber('policy.challengeAge', 25, 99),
      faceMatchEnabled: optionalFlag('policy.faceMatchEnabled'),
    }),
  ),
  allowedDomains: v.nullish(
    v.array(
      v.pipe(
        v.string(DOMAIN_MESSAGE),
        v.regex(DOMAIN_PATTERN, DOMAIN_MESSAGE),
        v.check(isDomainEntry, DOMAIN_MESSAGE),
      ),
      'allowedDomains must be an array',
    ),
  ),
  sandboxMode: optionalFlag('sandboxMode'),
  billingBlock: v.nullish(
    v.object({
      code: choice('billingBlock.code', [
        'SUBSCRIPTION_REQUIRED',
        'PLAN_LIMIT_REACHED',
        'SANDBOX_LIMIT_REACHED',
      ]),
      message: requiredText('billingBlock.message'),
      portalUrl: v.exactOptional(v.string('billingBlock.portalUrl must be a string')),
    }),
  ),
  rateLimits: v.nullish(
    v.object({
      create: optionalInteger('rateLimits.create', 1, 1_000_000),
      validate: optionalInteger('rateLimits.validate', 1, 1_000_000),
    }),
  ),
  members: v.nullish(
    v.array(
      v.object({
        email: requiredText('email'),
        role: choice('role', ['owner', 'admin', 'developer']),
      }),
      'members must be an array',
    ),
  ),
  timeoutAttempts: optionalInteger('timeoutAttempts', 1, TIMEOUT_ATTEMPTS_MAX),
});

const MAX_EVENTS = 20;

const eventList = v.pipe(
  v.array(choice('each value in events', EVENT_KINDS), 'events must be an array of event kinds'),
  v.nonEmpty('events should not be empty'),
  v.maxLength(MAX_EVENTS, `events must contain no more than ${MAX_EVENTS} elements`),
);

const endpointFields = {
  pairId: optionalText('pairId'),
  enabled: optionalFlag('enabled'),
  // If absent, a new endpoint gets a generated secret, and an existing one keeps its secret. If null,
  // deliveries are not signed.
  secret: v.nullish(
    v.pipe(v.string('secret must be a string'), v.nonEmpty('secret should not be empty')),
  ),
};

export const endpointInput = v.object({
  url: aDestination(requiredText('url')),
  events: v.nullish(eventList),
  ...endpointFields,
});

export const legacyInput = v.object({
  url: aDestination(requiredText('url')),
  events: v.nullish(eventList),
  secret: endpointFields.secret,
});

export const endpointChange = v.object({
  url: v.nullish(aDestination(v.string('url must be a string'))),
  events: v.nullish(eventList),
  ...endpointFields,
});
