import { BRAND } from '../api/brand.ts';
import type { MockServer } from '../hosts/node-server.ts';
import { reasonOf } from '../store/errors.ts';
import { type Name, NAMES, toEnv, toEnvValue } from './env-file.ts';
import { type Line, paint, type Styled, toJsonLine, toScreen } from './terminal.ts';
import { VERSION } from './version.ts';

/** The data of the message that is printed once the server is ready. */
export interface Announcement {
  readonly server: MockServer;
  /** Human-readable description of where the state is stored. */
  readonly state: string;
  /** True if `/docs/` serves the documentation. */
  readonly hasDocs: boolean;
  readonly allowsLoopback: boolean;
  /**
   * The demo shop with the origin of its server, which receives webhooks and is undefined if it does not
   * run. Null without the demo shop.
   */
  readonly demo: { readonly backend: string | undefined } | null;
  /** False if the webhook secret waits for the account's first endpoint. */
  readonly hasEndpoint: boolean;
  readonly forwardTo?: string | undefined;
  /** The port of the public address. Undefined if there is none. */
  readonly publicPort?: number | undefined;
  /** The file into which the variables of the merchant's server were written. */
  readonly envFile?: string | undefined;
}

/** Formats the addresses and the account's credentials as one line of JSON, for programs. */
export function toReadyLine({ server }: Announcement): string {
  const { apiBase, controlBase, shop, tenantId } = server;
  const { publishableKey, secretKey, webhookSecret } = server;
  const account = { tenantId, publishableKey, secretKey, webhookSecret };
  const { publicUrl, publicApiBase } = server;
  return toJsonLine({
    apiBase,
    controlBase,
    shop,
    console: server.console,
    ...account,
    ...(publicUrl !== null && { publicUrl, publicApiBase }),
  });
}

/** Formats the announcement as text for people, with a script tag and a block to paste into `.env`. */
export function toText(
  announcement: Announcement,
  { isColoured }: { readonly isColoured: boolean },
): string {
  const { server, state, hasDocs, demo, envFile } = announcement;
  const row = (label: string, ...value: readonly (string | Styled)[]): Line => [
    '  ',
    paint('dim', label.padEnd(11)),
    ...value,
  ];
  const lines: Line[] = [
    [paint('bold', `${BRAND} mock`), ` ${VERSION}`],
    '',
    row(
      demo ? 'Demo shop' : 'Begin',
      'open ',
      paint('cyan', server.shop.replace(/\/$/, '')),
      demo && demo.backend === undefined ? " (pages only: the shop's server is not running)" : '',
    ),
    row('Console', paint('cyan', server.console)),
    ...(hasDocs ? [row('Docs', paint('cyan', `${server.shop}docs/`))] : []),
    row('API', paint('cyan', server.apiBase)),
    row('Control', paint('cyan', server.controlBase)),
    ...toPublicLines(announcement).map((line, n) => row(n === 0 ? 'Public' : '', ...line)),
    row('State', state),
    ...toWebhookLines(announcement).map((line, n) => row(n === 0 ? 'Webhooks' : '', line)),
    '',
    [paint('dim', 'In your page, instead of the CDN script and without its integrity attribute:')],
    `<script src="${server.sdkUrl}"></script>`,
    '',
    ...(envFile === undefined
      ? [[paint('dim', "In your server's .env:")], ...toEnvLines(announcement)]
      : [`The variables of your server are in ${envFile}.`, ...toSecretNote(announcement)].map(
          (line) => [paint('dim', line)],
        )),
    '',
    [
      paint(
        'dim',
        'Ctrl-C stops it. --port NUMBER chooses another port, --help lists all options.',
      ),
    ],
  ];
  return toScreen(lines, { isColoured });
}

/** Says at which addresses other devices reach the mock, and which port a tunnel must lead to. */
function toPublicLines({ server, publicPort }: Announcement): Line[] {
  const { publicUrl, publicApiBase } = server;
  if (publicUrl === null || publicApiBase === null) return [];
  return [
    [paint('cyan', publicUrl), `, if your tunnel leads to port ${publicPort}`],
    ['API for pages on other devices: ', paint('cyan', publicApiBase)],
  ];
}

/** Says where the webhooks of this run go, and whether endpoints may be on this machine. */
function toWebhookLines({ demo, forwardTo, allowsLoopback }: Announcement): string[] {
  const backend = demo?.backend;
  return [
    ...(backend === undefined ? [] : [`go to the demo shop's server, ${backend}`]),
    ...(forwardTo === undefined ? [] : [`go to ${forwardTo}`]),
    ...(allowsLoopback
      ? ['to this machine are allowed; production accepts only public https URLs']
      : []),
  ];
}

function toEnvLines(announcement: Announcement): Line[] {
  const env = toEnv(announcement.server);
  const note = toSecretNote(announcement).map((line) => [paint('dim', `# ${line}`)]);
  return NAMES.flatMap((name) => {
    const value = env[name];
    if (value === null) return [];
    return [...(name === 'OFAGE_WEBHOOK_SECRET' ? note : []), toEnvLine(name, value)];
  });
}

/** Formats a variable as in an env file. Returns a comment if an env file cannot have the value. */
function toEnvLine(name: Name, value: string): string {
  try {
    return `${name}=${toEnvValue(name, value)}`;
  } catch (error) {
    return `# ${reasonOf(error)}`;
  }
}

/** Says which webhooks the secret signs, and that endpoints which the reader adds may have other secrets. */
function toSecretNote({ server, demo, forwardTo, hasEndpoint }: Announcement): string[] {
  if (server.webhookSecret === null) return [];
  if (!hasEndpoint)
    return [
      'OFAGE_WEBHOOK_SECRET is for the first endpoint that you add: in the console, or with --forward-to.',
    ];
  const targets = [
    ...(demo?.backend === undefined ? [] : ['the demo shop']),
    ...(forwardTo === undefined ? [] : ['--forward-to']),
  ];
  return [
    `OFAGE_WEBHOOK_SECRET signs webhooks to ${targets.join(' and ') || "the account's first endpoint"}.`,
    'An endpoint that you add has its own secret, which the console shows once.',
  ];
}
