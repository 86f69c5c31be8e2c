import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { CREATE, bearer, post } from '../exchange.ts';
import { create, created, withPk } from './bodies.ts';

/** URLs that a URL parser repairs, but that other parsers or the hosted page may interpret differently. */
const INCOMPLETE_URLS: readonly (readonly [name: string, url: string, why: string])[] = [
  ['no-slashes', 'http:localhost:3000/x', 'it is relative on a page of the same scheme'],
  ['no-slashes-https', 'https:shop.example', 'it is relative on a page of the same scheme'],
  ['one-slash', 'https:/shop.example/return', 'a slash is missing'],
  ['leading-space', ' https://shop.example/', 'parsers trim spaces'],
  ['trailing-space', 'https://shop.example/ ', 'parsers trim spaces'],
  ['inner-space', 'https://shop.example/a b', 'a URL has no spaces'],
  ['line-break', 'https://shop.example/\r\nX: y', 'a line break could inject a header'],
  ['tab', 'https://shop.example/\tx', 'parsers remove tabs'],
  ['line-break-in-scheme', 'ht\ntps://shop.example/', 'parsers remove line breaks'],
  ['delete', 'https://shop.example/\u007f', 'a URL has no control characters'],
  ['null', 'https://shop.example/\u0000', 'a URL has no control characters'],
  ['backslashes', 'https:\\\\shop.example/', 'parsers treat a backslash as a slash'],
  [
    'backslash-before-at',
    'https://shop.example\\@evil.example/',
    'other parsers see a different host',
  ],
];

const COMPLETE_URLS: readonly (readonly [name: string, url: string, why: string])[] = [
  ['upper-case-scheme', 'HTTPS://shop.example/return', 'schemes are case-insensitive'],
  ['not-ascii', 'https://shop.example/ü?q=ü#ü', 'letters outside ASCII are allowed'],
  [
    'backslash-in-query',
    'https://shop.example/?path=C:\\x',
    'a backslash is a normal character in a query',
  ],
  ['query-after-host', 'https://shop.example?a=1', 'the path may be empty'],
  [
    'slashes-in-query',
    'https://shop.example/a%20b?next=https://other.example//',
    'slashes are allowed in a query',
  ],
];

const whyIncomplete = (property: string): string =>
  `${property} must be a complete URL such as https://shop.example/return, with // after the scheme and without spaces, control characters or backslashes before the query`;

const SYNTAX = (['returnUrl', 'cancelUrl'] as const).flatMap((property) => [
  ...INCOMPLETE_URLS.map(([name, url, why]): Case => ({
    id: `${property}.incomplete.${name}`,
    sentence: `The ${property} ${JSON.stringify(url)} is refused, because ${why}`,
    level: 'reading',
    call: create({ [property]: url }),
    status: 400,
    message: [whyIncomplete(property)],
  })),
  ...(
    [
      ['relative', '/return'],
      ['word', 'nowhere'],
      ['javascript', 'javascript:alert(1)'],
      ['data', 'data:text/html,x'],
      ['file', 'file:///etc/passwd'],
    ] as const
  ).map(([name, url]): Case => ({
    id: `${property}.${name}`,
    sentence: `The ${property} ${JSON.stringify(url)} is refused, because it is not a web address`,
    call: create({ [property]: url }),
    status: 400,
    message: [`${property} must be a URL address`],
  })),
]);

const MISSING = ['returnUrl should not be empty', 'returnUrl must be a URL address'];

const PRESENCE: readonly Case[] = [
  {
    id: 'returnUrl.missing',
    sentence: 'The returnUrl is required',
    call: ({ sk }) => post(CREATE, {}, sk),
    status: 400,
    message: MISSING,
  },
  {
    id: 'returnUrl.missing.publishable-key',
    sentence: 'The returnUrl is required with a publishable key, too',
    call: ({ pk }) => post(CREATE, {}, pk),
    status: 400,
    message: MISSING,
  },
  {
    id: 'returnUrl.null',
    sentence: 'A returnUrl that is null counts as missing',
    call: create({ returnUrl: null }),
    status: 400,
    message: MISSING,
  },
  {
    id: 'returnUrl.empty',
    sentence: 'An empty returnUrl is refused',
    call: create({ returnUrl: '' }),
    status: 400,
    message: MISSING,
  },
  {
    id: 'body.none',
    sentence: 'A request without a body is refused, because the returnUrl is missing',
    call: ({ sk }) => ({ method: 'POST', path: CREATE, headers: bearer(sk) }),
    status: 400,
    message: MISSING,
  },
];

const OWN_DOMAIN = { allowedDomains: ['shop.example'] };

const ALLOWED: readonly Case[] = [
  ...COMPLETE_URLS.map(([name, url, why]): Case => ({
    id: `returnUrl.complete.${name}`,
    sentence: `The returnUrl ${JSON.stringify(url)} is accepted, because ${why}`,
    level: 'reading',
    settings: OWN_DOMAIN,
    call: create({ returnUrl: url }),
    status: 201,
    body: created(),
  })),
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
  ...(
    [
      ['localhost', 'http://localhost:5173/return?a=b'],
      ['loopback', 'http://127.0.0.1:3000/'],
    ] as const
  ).map(([name, returnUrl]): Case => ({
    id: `returnUrl.${name}`,
    sentence: `The returnUrl ${returnUrl} is accepted for every account, for development`,
    level: 'should',
    settings: OWN_DOMAIN,
    call: create({ returnUrl }),
    status: 201,
    body: created(),
  })),
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

const NOT_ALLOWED: readonly Case[] = [
  {
    id: 'returnUrl.domain',
    sentence: 'A returnUrl outside the allowed domains is refused',
    call: create({ returnUrl: 'https://evil.example/' }),
    status: 400,
    message: 'Return URL domain not allowed',
    messageLevel: 'must',
  },
  {
    id: 'returnUrl.domain.publishable-key',
    sentence: 'A returnUrl outside the allowed domains is refused with a publishable key, too',
    call: create({ returnUrl: 'https://evil.example/' }, withPk),
    status: 400,
    message: 'Return URL domain not allowed',
    messageLevel: 'must',
  },
  ...(
    [
      ['suffix', 'https://shop.example.evil.example/'],
      ['prefix', 'https://notshop.example/'],
      ['user', 'https://shop.example@evil.example/'],
    ] as const
  ).map(([name, returnUrl]): Case => ({
    id: `returnUrl.domain.${name}`,
    sentence: `The returnUrl ${returnUrl} is refused, because its host is not an allowed domain`,
    settings: OWN_DOMAIN,
    call: create({ returnUrl }),
    status: 400,
  })),
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
  ...PRESENCE,
  ...SYNTAX,
  ...ALLOWED,
  ...NOT_ALLOWED,
]);
