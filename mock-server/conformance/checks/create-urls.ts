import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { CREATE, bearer, post } from '../exchange.ts';
import type { World } from '../world.ts';
import { create, created, withPk } from './bodies.ts';

/** URLs that a URL parser repairs, but that other parsers or the hosted page may interpret differently. */
const INCOMPLETE_URLS = {
  // It is relative on a page of the same scheme.
  'no slashes': 'http:localhost:3000/x',
  'no slashes, https': 'https:shop.example',
  'one slash': 'https:/shop.example/return',
  // Parsers trim spaces, and remove tabs and line breaks.
  'leading space': ' https://shop.example/',
  'trailing space': 'https://shop.example/ ',
  'inner space': 'https://shop.example/a b',
  'line break': 'https://shop.example/\r\nX: y',
  tab: 'https://shop.example/\tx',
  'line break in scheme': 'ht\ntps://shop.example/',
  delete: 'https://shop.example/\u007f',
  null: 'https://shop.example/\u0000',
  // Parsers treat a backslash as a slash, or see a different host.
  backslashes: 'https:\\\\shop.example/',
  'backslash before at': 'https://shop.example\\@evil.example/',
};

const COMPLETE_URLS = {
  'upper-case scheme': 'HTTPS://shop.example/return',
  'not ASCII': 'https://shop.example/ü?q=ü#ü',
  'backslash in query': 'https://shop.example/?path=C:\\x',
  'query after host': 'https://shop.example?a=1',
  'slashes in query': 'https://shop.example/a%20b?next=https://other.example//',
};

const NOT_WEB = {
  relative: '/return',
  word: 'nowhere',
  javascript: 'javascript:alert(1)',
  data: 'data:text/html,x',
  file: 'file:///etc/passwd',
};

const SYNTAX = (['returnUrl', 'cancelUrl'] as const).flatMap((property): Case[] => [
  {
    id: `${property}.incomplete`,
    sentence: `A ${property} that needs repairs by a URL parser is refused, because parsers differ in them`,
    level: 'reading',
    examples: toExamples(INCOMPLETE_URLS, (url) => ({ call: create({ [property]: url }) })),
    status: 400,
    message: [
      `${property} must be a complete URL such as https://shop.example/return, with // after the scheme and without spaces, control characters or backslashes before the query`,
    ],
  },
  {
    id: `${property}.not-web`,
    sentence: `A ${property} that is not a web address is refused`,
    // A URL without a domain is outside the allowlist. For the cancelUrl, only the SDK has this rule.
    level: property === 'returnUrl' ? 'must' : 'reading',
    examples: toExamples(NOT_WEB, (url) => ({ call: create({ [property]: url }) })),
    status: 400,
    message: [`${property} must be a URL address`],
  },
]);

const MISSING = ['returnUrl should not be empty', 'returnUrl must be a URL address'];

const PRESENCE: Case = {
  id: 'returnUrl.missing',
  sentence: 'The returnUrl is required',
  examples: {
    absent: { call: ({ sk }) => post(CREATE, {}, sk) },
    'publishable key': { call: ({ pk }) => post(CREATE, {}, pk) },
    null: { call: create({ returnUrl: null }) },
    empty: { call: create({ returnUrl: '' }) },
    'no body': { call: ({ sk }) => ({ method: 'POST', path: CREATE, headers: bearer(sk) }) },
  },
  status: 400,
  message: MISSING,
};

const OWN_DOMAIN = { allowedDomains: ['shop.example'] };

const ALLOWED: readonly Case[] = [
  {
    id: 'returnUrl.complete',
    sentence: 'A returnUrl may have an upper-case scheme, letters outside ASCII and any query',
    level: 'reading',
    settings: OWN_DOMAIN,
    examples: toExamples(COMPLETE_URLS, (returnUrl) => ({ call: create({ returnUrl }) })),
    status: 201,
    body: created(),
  },
  {
    id: 'returnUrl.query',
    sentence: 'A returnUrl may have a query',
    settings: OWN_DOMAIN,
    call: create({ returnUrl: 'https://shop.example/return?cart=7&a=b' }),
    status: 201,
    body: created(),
  },
  {
    id: 'returnUrl.port',
    sentence: 'An allowed domain is allowed on any port',
    level: 'reading',
    settings: OWN_DOMAIN,
    call: create({ returnUrl: 'https://shop.example:8443/return' }),
    status: 201,
    body: created(),
  },
  {
    id: 'returnUrl.localhost',
    sentence: 'A returnUrl on this computer is accepted for every account, for development',
    level: 'should',
    settings: OWN_DOMAIN,
    examples: toExamples(
      { localhost: 'http://localhost:5173/return?a=b', loopback: 'http://127.0.0.1:3000/' },
      (returnUrl) => ({ call: create({ returnUrl }) }),
    ),
    status: 201,
    body: created(),
  },
  {
    id: 'returnUrl.wildcard',
    sentence: 'An allowed domain "*.shop.example" allows subdomains',
    level: 'reading',
    settings: { allowedDomains: ['*.shop.example'] },
    call: create({ returnUrl: 'https://a.shop.example/' }),
    status: 201,
    body: created(),
  },
];

/** Returns a function that builds a request whose returnUrl contains the host of an allowed one. */
const onHost = (toUrl: (host: string) => string, key?: typeof withPk) => (world: World) =>
  create({ returnUrl: toUrl(new URL(world.account.returnUrl).hostname) }, key)(world);

const NOT_ALLOWED: readonly Case[] = [
  {
    id: 'returnUrl.domain',
    sentence: 'A returnUrl outside the allowed domains is refused',
    examples: {
      other: { call: create({ returnUrl: 'https://evil.example/' }) },
      'publishable key': { call: create({ returnUrl: 'https://evil.example/' }, withPk) },
      suffix: { call: onHost((host) => `https://${host}.evil.example/`) },
      prefix: { call: onHost((host) => `https://not${host}/`) },
      user: { call: onHost((host) => `https://${host}@evil.example/`) },
      query: { call: onHost((host) => `https://evil.example/?${host}`) },
      localhost: { call: create({ returnUrl: 'http://localhost.evil.example/' }) },
      loopback: { call: create({ returnUrl: 'http://127.0.0.1.evil.example/' }) },
    },
    status: 400,
    message: 'Return URL domain not allowed',
    messageLevel: 'must',
  },
  {
    id: 'returnUrl.domain.other-account',
    sentence: 'A domain that only another account allows is refused',
    settings: OWN_DOMAIN,
    async call(world) {
      await world.driver.createAccount({ allowedDomains: ['other.example'] });
      return create({ returnUrl: 'https://other.example/' })(world);
    },
    status: 400,
    message: 'Return URL domain not allowed',
    messageLevel: 'must',
  },
  {
    id: 'returnUrl.subdomain',
    sentence: 'An allowed domain does not allow its subdomains',
    level: 'reading',
    settings: OWN_DOMAIN,
    call: create({ returnUrl: 'https://a.shop.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    id: 'returnUrl.wildcard.apex',
    sentence: 'An allowed domain "*.shop.example" does not allow shop.example itself',
    level: 'reading',
    settings: { allowedDomains: ['*.shop.example'] },
    call: create({ returnUrl: 'https://shop.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
  },
  {
    id: 'cancelUrl.domain',
    sentence:
      'A cancelUrl outside the allowed domains is refused, because the shopper is sent there as well',
    level: 'reading',
    call: create({ cancelUrl: 'https://evil.example/' }),
    status: 400,
    message: 'Cancel URL domain not allowed',
  },
];

/** Checks of the addresses to which a shopper returns. */
export const CREATE_URL_CHECKS: readonly Check[] = toChecks('POST /sessions/create', 'create', [
  PRESENCE,
  ...SYNTAX,
  ...ALLOWED,
  ...NOT_ALLOWED,
]);
