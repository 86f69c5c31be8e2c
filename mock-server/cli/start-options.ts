import { toLoopbackAddress } from '../send/address.ts';
import { isDatabaseUrl } from '../hosts/node-data.ts';
import { PUBLIC_URL_FORM, toPublicOrigin } from '../hosts/node-public.ts';
import { describeUrl } from '../store/safe-text.ts';
import { integerOf, requireArguments, textOf, type Options, type Values } from './command.ts';

export interface StartOptions {
  readonly port: number;
  readonly host: string;
  /** The second listener, for other devices. */
  readonly publicPort: number | undefined;
  readonly publicUrl: string | undefined;
  /** The storage of the state: a named file or database, the default file, or memory. */
  readonly data:
    | { kind: 'file'; path: string }
    | { kind: 'database'; url: string }
    | { kind: 'default' }
    | { kind: 'memory' };
  /** The path of a file that describes accounts. */
  readonly config: string | undefined;
  /** The path of the snapshot that a new state begins with. */
  readonly snapshot: string | undefined;
  /** True if the webhooks that a snapshot holds back are sent. */
  readonly sendWebhooks: boolean;
  readonly forwardTo: string | undefined;
  /** The file into which the variables of the merchant's server are written. */
  readonly writeEnv: string | undefined;
  readonly allowLoopbackWebhooks: boolean;
  readonly seed: number | undefined;
  readonly demo: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

const DEFAULT_PORT = 4010;

/** The options of `start`, for the parser and the help text. */
export const START_OPTIONS: Options = {
  port: {
    type: 'string',
    value: 'NUMBER',
    text: 'port to listen on; 0 chooses a free one (default 4010)',
  },
  host: {
    type: 'string',
    value: 'ADDRESS',
    text: 'a loopback address to listen on (default 127.0.0.1)',
  },
  'public-port': {
    type: 'string',
    value: 'NUMBER',
    text: 'a port for a tunnel, so that a phone can open the hosted page',
  },
  'public-url': { type: 'string', value: 'URL', text: 'the https address of that tunnel' },
  data: {
    type: 'string',
    value: 'FILE|URL',
    text: 'storage: a file or postgres://… (default .ofage/mock.sqlite)',
  },
  ephemeral: { type: 'boolean', text: 'keep state in memory; it is lost when the mock stops' },
  config: { type: 'string', value: 'FILE', text: 'accounts, policies and endpoints, as JSON' },
  snapshot: { type: 'string', value: 'FILE', text: 'begin a new state with a saved snapshot' },
  'send-webhooks': {
    type: 'boolean',
    text: 'send webhooks of a loaded snapshot also to public addresses',
  },
  'forward-to': {
    type: 'string',
    value: 'URL',
    text: 'also send every webhook of the first account to this URL',
  },
  'allow-loopback-webhooks': {
    type: 'boolean',
    text: 'allow local endpoints, also http (implied by a local --forward-to)',
  },
  'write-env': {
    type: 'string',
    value: 'FILE',
    text: 'write the keys and the API base into an .env file',
  },
  seed: { type: 'string', value: 'NUMBER', text: 'make ids, keys and secrets repeatable' },
  demo: { type: 'boolean', text: 'also run Kontor, a demo shop with its own server, and the labs' },
  quiet: { type: 'boolean', text: 'print only errors' },
  json: { type: 'boolean', text: 'print one line of JSON when ready' },
};

/**
 * Parses the arguments of `start`.
 * @throws {RangeError} with a readable message
 */
export function parseStart(words: readonly string[], values: Values): StartOptions {
  requireArguments('start', [], words);
  const data = textOf(values, 'data');
  const publicPort = integerOf(values, 'public-port', { min: 1, max: 65_535 });
  const publicUrl = parsePublic(textOf(values, 'public-url'));
  if ((publicPort === undefined) !== (publicUrl === undefined))
    throw new RangeError('--public-port and --public-url must be used together');
  if (data !== undefined && values['ephemeral'] === true)
    throw new RangeError('--data and --ephemeral cannot be used together');
  return {
    port: integerOf(values, 'port', { min: 0, max: 65_535 }) ?? DEFAULT_PORT,
    host: parseHost(textOf(values, 'host')),
    publicPort,
    publicUrl,
    data: toData(data, { isEphemeral: values['ephemeral'] === true }),
    config: parseFile(values, 'config'),
    snapshot: parseFile(values, 'snapshot'),
    sendWebhooks: values['send-webhooks'] === true,
    writeEnv: parseFile(values, 'write-env'),
    forwardTo: parseForwardTo(textOf(values, 'forward-to')),
    allowLoopbackWebhooks: values['allow-loopback-webhooks'] === true,
    seed: integerOf(values, 'seed', { min: 0, max: 0xffff_ffff }),
    demo: values['demo'] === true,
    quiet: values['quiet'] === true,
    json: values['json'] === true,
  };
}

/** Accepts only a loopback address, because the mock shows every secret it stores. */
function parseHost(text: string | undefined): string {
  const address = toLoopbackAddress(text ?? '127.0.0.1');
  if (address !== null) return address;
  throw new RangeError(
    `--host must be a loopback address, such as 127.0.0.1 or ::1, got "${describeUrl(text ?? '')}"`,
  );
}

function parsePublic(text: string | undefined): string | undefined {
  const url = text === undefined ? null : toPublicOrigin(text);
  if (text === undefined || url !== null) return url ?? undefined;
  throw new RangeError(`--public-url must be ${PUBLIC_URL_FORM}, got "${describeUrl(text)}"`);
}

function toData(
  path: string | undefined,
  { isEphemeral }: { readonly isEphemeral: boolean },
): StartOptions['data'] {
  if (path === '') throw new RangeError('--data must name a file, got ""');
  if (path !== undefined && isDatabaseUrl(path)) return { kind: 'database', url: path };
  // Quotes only the scheme, because the URL may contain a password.
  const scheme = /^[a-z][a-z0-9+.-]+:\/\//i.exec(path ?? '')?.[0];
  if (scheme !== undefined)
    throw new RangeError(`--data must be a file or a postgres:// URL, got "${scheme}…"`);
  if (path !== undefined) return { kind: 'file', path };
  return isEphemeral ? { kind: 'memory' } : { kind: 'default' };
}

function parseFile(values: Values, option: string): string | undefined {
  const path = textOf(values, option);
  if (path === '') throw new RangeError(`--${option} must name a file, got ""`);
  return path;
}

/** Adds http:// to an address without a scheme, because people type `localhost:3000/hooks`. */
function parseForwardTo(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url).href;
  throw new RangeError(`--forward-to must be an http or https URL, got "${describeUrl(text)}"`);
}
