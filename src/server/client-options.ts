import { API_BASE } from './brand.ts';
import { OfAgeError, type OfAgeErrorCode } from './errors.ts';
import type { FetchLike } from './fetch-like.ts';
import { assertInteger, assertOptionNames, holdsFields } from './option-checks.ts';
import { kindOf } from './json-object.ts';
import type { Connection } from './request.ts';
import { type ResultStore, assertResultStore } from './result-store.ts';
import { Secret } from './secret.ts';

/** Options of `createClient`. An unknown option is refused. */
export interface ClientOptions {
  /**
   * The account's secret key, `sk_…`. Read it from the environment or a vault, never from code that a
   * browser loads. Printing, logging or serialising the client does not reveal it.
   *
   * If it is a function, the client calls it for each request, for keys that are stored in a vault or change
   * at runtime. The module that creates the client can then be imported without the environment variable,
   * for example while a site is built.
   */
  secretKey: string | (() => string | Promise<string>);
  /**
   * The address of the API, ending with `/api/v1`. It must use `https:`. Plain `http:` is allowed only for
   * loopback addresses (`localhost`, `127.0.0.1`, `[::1]`), where the mock runs.
   * @default 'https://api.ofage.example/api/v1'
   */
  baseUrl?: string | undefined;
  /**
   * The function that sends the requests, for a proxy or for a runtime without `fetch`.
   * @default the `fetch` of the runtime, looked up at each call
   */
  fetch?: FetchLike | undefined;
  /**
   * Time limit of one request, including its response. It does not apply to the `secretKey` function.
   * Milliseconds, an integer from 1 to 2_147_483_647.
   * @default 15_000
   */
  timeoutMs?: number | undefined;
  /**
   * Remembers the results of `validateOnce`. If several processes or servers are asked about the same
   * sessions, pass a store that they share.
   * @default the memory of this client: the newest 10,000 results, until the process ends
   */
  resultStore?: ResultStore | undefined;
}

/** The checked options with the defaults filled in. */
export interface ResolvedClientOptions {
  /**
   * Returns the connection with the checked key. Rejects if a function supplies the key and it fails or
   * returns an invalid one.
   * @param action The start of the error message.
   */
  readonly connect: (action: string) => Promise<Connection>;
  readonly timeoutMs: number;
  readonly resultStore: ResultStore | undefined;
}

export function resolveClientOptions(options: unknown): ResolvedClientOptions {
  if (!holdsFields(options)) {
    refuse('invalid_option', `expected an object with secretKey, got ${kindOf(options)}`);
  }
  const known: Partial<Record<keyof ClientOptions, unknown>> = options;
  // A key that a function supplies is not known yet, so only a key that was passed directly can be removed
  // from messages.
  const key =
    typeof known.secretKey === 'function' ? undefined : resolveSecretKey(known.secretKey, CREATE);
  const redact = (text: string): string => key?.redact(text) ?? text;
  assertOptionNames(options, {
    action: CREATE,
    names: OPTION_NAMES,
    quote: (name) => ` "${redact(name)}"`,
  });
  if (known.fetch !== undefined && typeof known.fetch !== 'function') {
    refuse('invalid_option', `fetch must be a function, got ${kindOf(known.fetch)}`);
  }
  if (known.resultStore !== undefined) assertResultStore(known.resultStore, CREATE);
  const address = {
    baseUrl: known.baseUrl === undefined ? API_BASE : resolveBaseUrl(known.baseUrl, redact),
    fetch: known.fetch as FetchLike | undefined, // checked above to be a function
  };
  return {
    connect: key
      ? async () => ({ ...address, secretKey: key })
      : createConnect(address, known.secretKey as () => unknown), // checked above to be a function
    timeoutMs: known.timeoutMs === undefined ? 15_000 : assertTimeoutMs(known.timeoutMs, CREATE),
    resultStore: known.resultStore,
  };
}

/** Checks that a time limit is in the range of `setTimeout`, which fires at once for a longer delay. */
export function assertTimeoutMs(value: unknown, action: string): number {
  return assertInteger(value, `${action}: timeoutMs`, 1, 2_147_483_647);
}

/** Creates a `connect` that reads the key at each call. */
function createConnect(
  address: Omit<Connection, 'secretKey'>,
  readKey: () => unknown,
): ResolvedClientOptions['connect'] {
  return async (action) => {
    let key: unknown;
    try {
      key = await readKey();
    } catch (cause) {
      throw new OfAgeError(
        'secret_key_required',
        `${action}: the function secretKey threw an error`,
        { cause },
      );
    }
    return { ...address, secretKey: resolveSecretKey(key, action) };
  };
}

/**
 * Checks the key. No message quotes the value, because a key of another kind or of another service is a
 * secret too.
 */
function resolveSecretKey(value: unknown, action: string): Secret {
  if (value === undefined || value === null || value === '') {
    refuse(
      'secret_key_required',
      'secretKey is required; check that the environment variable is set',
      action,
    );
  }
  if (typeof value !== 'string') {
    refuse('secret_key_invalid', `secretKey must be a string, got ${kindOf(value)}`, action);
  }
  if (/^\s*pk_/i.test(value)) {
    refuse(
      'publishable_key_refused',
      'secretKey is a publishable key (pk_), which is for browsers; a server needs the secret key of the pair (sk_)',
      action,
    );
  }
  if (/\s/.test(value)) {
    refuse(
      'secret_key_invalid',
      'secretKey contains white space; check that no line break was copied with it',
      action,
    );
  }
  // Allows only visible ASCII, because other characters are not safe in a header.
  if (!/^sk_[\x21-\x7e]+$/.test(value)) {
    refuse(
      'secret_key_invalid',
      'secretKey must start with "sk_" and contain only visible ASCII characters',
      action,
    );
  }
  return new Secret(value);
}

function resolveBaseUrl(value: unknown, redact: (text: string) => string): string {
  if (typeof value !== 'string') {
    refuse('base_url_invalid', `baseUrl must be a string, got ${kindOf(value)}`);
  }
  const got = `got "${redact(value)}"`;
  if (!URL.canParse(value)) refuse('base_url_invalid', `baseUrl must be an absolute URL, ${got}`);
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') {
    refuse('base_url_invalid', 'baseUrl must not contain a user name or a password');
  }
  const isLocal = LOOPBACK_HOSTS.includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    const reason = 'baseUrl must start with https://, or with http:// on localhost or 127.0.0.1';
    refuse('base_url_invalid', `${reason}, ${got}`);
  }
  if (url.search !== '' || url.hash !== '') {
    refuse('base_url_invalid', `baseUrl must not have a query or a fragment, ${got}`);
  }
  const path = url.pathname.replace(/\/$/, '');
  if (!path.endsWith('/api/v1')) {
    refuse('base_url_invalid', `baseUrl must end with /api/v1, ${got}`);
  }
  return `${url.origin}${path}`;
}

function refuse(code: OfAgeErrorCode, reason: string, action = CREATE): never {
  throw new OfAgeError(code, `${action}: ${reason}`);
}

const CREATE = 'Cannot create the client';
const OPTION_NAMES = ['secretKey', 'baseUrl', 'fetch', 'timeoutMs', 'resultStore'];
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
