import { createMockService, type ServiceOptions } from 'ofage/mock';
import { describe, expect, it } from 'vitest';

/** Mistakes that callers without TypeScript can make, and the expected messages. */
const WRONG_OPTIONS: readonly (readonly [options: unknown, message: string])[] = [
  [
    { nonsense: 1 },
    'unknown option "nonsense"; supported options: log, seed, apiOrigin, verifyUrl, tenant, tenants, endpoints, clock, allowLoopbackWebhooks, resolve, mac, sender, pollMs, realClock, onError',
  ],
  [{ toString: 1 }, 'unknown option "toString"; supported options:'],
  ['memory', 'its options must be an object, got "memory"'],
  [[], 'its options must be an object, got an array'],
  [{ clock: { frozen: 'yes' } }, 'clock.frozen must be true or false, got "yes"'],
  [
    { clock: { froze: true } },
    'unknown option "clock.froze"; supported options: clock.now, clock.frozen',
  ],
  [
    { clock: { now: '2026-01-01' } },
    'clock.now must be a Date or milliseconds since the epoch, got "2026-01-01"',
  ],
  [{ clock: { now: null } }, 'clock.now must be a Date or milliseconds since the epoch, got null'],
  [{ clock: 'frozen' }, 'clock must be an object, got "frozen"'],
  [
    { verifyUrl: 'x' },
    'verifyUrl must be an http or https URL without a fragment, such as "https://verify.ofage.example/", got "x"',
  ],
  [
    { verifyUrl: 'https://verify.example/#/session' },
    'verifyUrl must be an http or https URL without a fragment',
  ],
  [
    { apiOrigin: 'nope' },
    'apiOrigin must be an origin such as "https://api.ofage.example", got "nope"',
  ],
  [{ apiOrigin: 'https://api.example/' }, 'apiOrigin must be an origin such as'],
  [{ seed: '7' }, 'seed must be a number, got "7"'],
  [{ pollMs: -1 }, 'pollMs must be an integer of 0 or more, got -1'],
  [{ log: {} }, 'log must be a log, such as the result of createIndexedDbLog(), got an object'],
  [{ sender: async () => {} }, 'sender must be an object with a method send(), got a function'],
  [
    { realClock: { now: Date.now } },
    'realClock must be an object with the methods now() and wakeAt(), got an object',
  ],
  [{ onError: 'console' }, 'onError must be a function, got "console"'],
  [{ resolve: null }, 'resolve must be a function, got null'],
  [{ tenants: {} }, 'tenants must be an array, got an object'],
  [
    { endpoints: 'https://shop.example/' },
    'endpoints must be an array, got "https://shop.example/"',
  ],
  [{ tenant: 'Demo' }, 'tenant must be an object, got "Demo"'],
  [
    { allowLoopbackWebhooks: 1 },
    'allowLoopbackWebhooks must be true, false or an array of origins such as "http://localhost:3000", got 1',
  ],
  [
    { allowLoopbackWebhooks: ['localhost'] },
    'allowLoopbackWebhooks must be true, false or an array of origins',
  ],
];

describe('createMockService()', () => {
  it.each<[ServiceOptions, string]>([
    [{ seed: -1 }, 'seed must be an integer from 0 to 4294967295, got -1'],
    [{ seed: 1.5 }, 'seed must be an integer from 0 to 4294967295, got 1.5'],
    [
      { clock: { now: Number.NaN } },
      'clock.now must be a Date or an integer number of milliseconds since the epoch, up to the end of the year 9999, got NaN',
    ],
    [
      { clock: { now: 253_402_300_800_000 } },
      'up to the end of the year 9999, got 253402300800000',
    ],
    [
      { tenant: { policy: { challengeAge: 18 } } },
      'Cannot create the service: policy.challengeAge must not be less than 25',
    ],
    [
      { tenant: { domains: ['shop.example'] } as object },
      'Cannot create the service: property domains should not exist',
    ],
    [
      { endpoints: [{ url: '' }] },
      'Cannot create the service: endpoints[0]: url should not be empty',
    ],
    [
      { tenant: { secretKey: 'pk_1' } },
      'Cannot create the service: secretKey must be a string without spaces that starts with sk_',
    ],
    [{ tenant: { id: '' } }, 'Cannot create the service: id should not be empty'],
    ...WRONG_OPTIONS.map(([options, message]): [ServiceOptions, string] => [
      options as ServiceOptions,
      `Cannot create the service: ${message}`,
    ]),
  ])('rejects %j at once', (options, message) => {
    expect(() => createMockService(options)).toThrow(message);
  });

  it('treats undefined options as missing', async () => {
    const names = ['log', 'seed', 'apiOrigin', 'verifyUrl', 'clock', 'sender', 'onError'];
    const options = Object.fromEntries(names.map((name) => [name, undefined])) as ServiceOptions;
    expect(await createMockService(options).ready).toMatchObject({ webhookSecret: null });
  });
});
