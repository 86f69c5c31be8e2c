import { EndpointRefusal, type Driver } from 'ofage-mock/conformance';
import type { Distortion } from './distortion.ts';

type Functions = { [Name in keyof Driver]: (correct: Required<Driver>) => Driver[Name] };

export const EVERY_KIND = 'endpoints receive every kind of event';

const nothing = async (): Promise<void> => {};

/** Functions of a dashboard that seem to succeed and have no effect, by the function. */
const WITHOUT_EFFECT: Functions = {
  settle: () => nothing,
  advance: () => nothing,
  changeAccount: () => nothing,
  setKeyStatus: () => nothing,
  removeEndpoint: () => nothing,
  changeEndpoint: () => nothing,
  testEndpoint: () => async () => true,
  resumeEndpoint: () => async () => true,
  redeliver: () => async () => 1,
  setLegacyWebhook: () => async () => null,
  migrateLegacyWebhook: () => async () => ({ id: 'none', secret: null }),
  createAccount:
    ({ createAccount }) =>
    () =>
      createAccount({ allowedDomains: ['shop.example'] }),
};

/** Functions of a dashboard that do something else than they were asked to. */
const WRONG: readonly [name: string, Functions][] = [
  [
    EVERY_KIND,
    {
      addEndpoint:
        ({ addEndpoint }) =>
        ({ events: _events, ...endpoint }) =>
          addEndpoint(endpoint),
    },
  ],
  [
    'endpoints receive the events of every key pair',
    {
      addEndpoint:
        ({ addEndpoint }) =>
        ({ pairId: _pairId, ...endpoint }) =>
          addEndpoint(endpoint),
    },
  ],
  [
    'endpoints have a secret that nobody has chosen',
    {
      addEndpoint:
        ({ addEndpoint }) =>
        ({ secret: _secret, ...endpoint }) =>
          addEndpoint(endpoint),
    },
  ],
  [
    'every endpoint is accepted',
    {
      addEndpoint:
        ({ addEndpoint }) =>
        (endpoint) =>
          addEndpoint(endpoint).catch(() => ({ id: 'none', secret: null })),
      changeEndpoint:
        ({ changeEndpoint }) =>
        (id, change) =>
          changeEndpoint(id, change).catch(() => {}),
      setLegacyWebhook:
        ({ setLegacyWebhook }) =>
        (...args) =>
          setLegacyWebhook(...args).catch(() => null),
    },
  ],
  [
    'every endpoint is refused',
    { addEndpoint: () => () => Promise.reject(new EndpointRefusal('No')) },
  ],
  [
    'tests fail',
    { testEndpoint: () => async () => false, resumeEndpoint: () => async () => false },
  ],
  [
    'the health says the opposite',
    {
      endpointHealth:
        ({ endpointHealth }) =>
        async (id) => {
          const { isPaused, ...rest } = await endpointHealth(id);
          return { ...rest, isPaused: !isPaused };
        },
    },
  ],
  [
    'the health counts one event too many',
    {
      endpointHealth:
        ({ endpointHealth }) =>
        async (id) => {
          const { undelivered, ...rest } = await endpointHealth(id);
          return { ...rest, undelivered: undelivered + 1 };
        },
    },
  ],
  [
    'the health has no success',
    {
      endpointHealth:
        ({ endpointHealth }) =>
        async (id) => ({ ...(await endpointHealth(id)), lastSuccessAt: null }),
    },
  ],
  [
    'key pairs are those of another account',
    {
      createKeyPair:
        ({ createAccount }) =>
        () =>
          createAccount({ allowedDomains: ['shop.example'] }),
    },
  ],
  [
    'a second account is the first one',
    {
      createAccount({ createAccount }) {
        let first: ReturnType<typeof createAccount> | undefined;
        return (settings) => {
          first ??= createAccount(settings);
          return first;
        };
      },
    },
  ],
];

/** Dashboards whose functions depend on each other. */
const STATEFUL: readonly Distortion[] = [
  {
    name: 'disabled endpoints are deleted',
    driver: ({ changeEndpoint, removeEndpoint }) => ({
      changeEndpoint: (id, change) =>
        change.enabled === false ? removeEndpoint(id) : changeEndpoint(id, change),
    }),
  },
  {
    name: 'the 20th endpoint is refused',
    driver({ addEndpoint }) {
      let count = 0;
      return {
        addEndpoint(request) {
          count += 1;
          return count < 20 ? addEndpoint(request) : Promise.reject(new EndpointRefusal('No'));
        },
      };
    },
  },
  {
    name: 'paused endpoints receive events',
    driver({ addEndpoint, endpointHealth }) {
      const requests = new Map<string, Parameters<typeof addEndpoint>[0]>();
      return {
        async addEndpoint(request) {
          const added = await addEndpoint(request);
          requests.set(added.id, request);
          return added;
        },
        async endpointHealth(id) {
          const health = await endpointHealth(id);
          const request = requests.get(id);
          // A second endpoint at the same address is not paused.
          if (health.isPaused && request) await addEndpoint(request);
          requests.delete(id);
          return health;
        },
      };
    },
  },
];

const apply = (functions: Functions, correct: Required<Driver>): Driver =>
  Object.fromEntries(
    Object.entries(functions).map(([name, change]) => [name, change(correct as never)]),
  );

export const DASHBOARD: readonly Distortion[] = [
  ...Object.entries(WITHOUT_EFFECT).map(([name, change]) => ({
    name: `${name} has no effect`,
    driver: (correct: Required<Driver>) => apply({ [name]: change }, correct),
  })),
  ...WRONG.map(([name, functions]) => ({
    name,
    driver: (correct: Required<Driver>) => apply(functions, correct),
  })),
  ...STATEFUL,
];
