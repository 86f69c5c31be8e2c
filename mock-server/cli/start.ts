import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toPublicData } from '../hosts/node-data.ts';
import { builtDocs } from '../hosts/node-routes.ts';
import { type MockServer, startServer } from '../hosts/node-server.ts';
import { opensLoopback } from '../hosts/webhook-targets.ts';
import { reasonOf } from '../store/errors.ts';
import type { StartOptions } from './start-options.ts';
import { assertEnvFile, toEnv, writeEnvFile } from './env-file.ts';
import { readConfigFile, readSnapshotFile, resolveDataFile, toConfigError } from './files.ts';
import { type Announcement, toReadyLine, toText } from './output.ts';
import {
  findPort,
  DEMO_BACKEND_HOST,
  type DemoBackend,
  startDemoBackend,
  toBackendPort,
} from './demo-backend.ts';
import { mayColour, toComplaint } from './terminal.ts';

/** The demo shop's name. Its account has the same name, so that shoppers see one name on all pages. */
const SHOP_NAME = 'Kontor';

/**
 * Runs the server until a signal stops it. Resolves with the exit code, and rejects with a readable
 * message.
 */
export async function start(options: StartOptions): Promise<number> {
  const signals = watchSignals();
  const tenants = options.config === undefined ? undefined : readConfigFile(options.config);
  if (options.writeEnv !== undefined) assertEnvFile(options.writeEnv);
  const data = resolveDataFile(options.data, process.cwd());
  if (data === undefined && options.data.kind === 'default' && !options.quiet)
    complain(
      `Node ${process.versions.node} has no SQLite, so the state is in memory and lost when the mock stops; Node 22.13 or newer keeps it`,
    );
  const snapshot =
    options.snapshot === undefined ? undefined : await readSnapshotFile(options.snapshot, data);
  const backendFile = options.demo ? findDemoBackend() : undefined;
  if (options.demo && backendFile === undefined)
    complain('The demo backend was not built, so the mock starts without the demo shop');
  const backendPort = backendFile === undefined ? 0 : await findPort(toBackendPort(options));
  const shopBackend =
    backendFile === undefined ? undefined : `http://${DEMO_BACKEND_HOST}:${backendPort}`;

  const server = await startServer({
    ownsProcess: true,
    port: options.port,
    host: options.host,
    publicPort: options.publicPort,
    publicUrl: options.publicUrl,
    data,
    tenants,
    snapshot: snapshot && { ...snapshot, ...(!options.sendWebhooks && { webhooks: 'held' }) },
    seed: options.seed,
    forwardTo: options.forwardTo,
    allowLoopbackWebhooks: options.allowLoopbackWebhooks,
    ...(shopBackend !== undefined && { shopBackend, accountName: SHOP_NAME }),
    onWarning: complain,
    onError: (error) => complain(`The service failed: ${reasonOf(error)}`),
  }).catch((error: unknown) => {
    throw explain(error, options);
  });
  if (options.writeEnv !== undefined) await writeEnv(options.writeEnv, server);
  await settleHold(server, options);
  const backend = backendFile && (await tryToStart(server, backendFile, backendPort));
  announce({
    options,
    server,
    data,
    demo: shopBackend === undefined ? null : { backend: backend && shopBackend },
    hasEndpoint: (await server.control.endpoints(server.tenantId)).length > 0,
  });
  await signals.next();
  await server.close();
  // The demo backend stops after the mock server, so that it receives the last webhooks.
  if (backend) await backend.stop();
  return 0;
}

/**
 * Adds a hint to the error of a failed start: another port to try, or the name of the configuration file.
 */
function explain(error: unknown, { config, port, publicPort }: StartOptions): unknown {
  const cause = error instanceof Error ? (error.cause as PortError | undefined) : undefined;
  if (error instanceof Error && cause?.code === 'EADDRINUSE') {
    const option = cause.port === publicPort ? '--public-port' : '--port';
    const taken = cause.port ?? port;
    const another = `${option} ${taken < 60_000 ? taken + 10 : taken - 10}`;
    return new Error(
      `${error.message}. For example: ${another} (with npm: npm start -- ${another})`,
    );
  }
  return config === undefined ? error : toConfigError(config, error);
}

/** The error of a port that cannot be used. */
interface PortError extends NodeJS.ErrnoException {
  readonly port?: number;
}

/**
 * Returns the program of the demo backend: the one beside the running bundle or, when run from source,
 * the last build. Returns undefined if there is none.
 */
function findDemoBackend(): string | undefined {
  return ['./demo-backend.js', '../dist/demo-backend.js']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
}

/**
 * Starts the demo backend. If it fails, the mock keeps running, because the shop's pages work without it.
 */
async function tryToStart(
  server: MockServer,
  file: string,
  port: number,
): Promise<DemoBackend | undefined> {
  try {
    return await startDemoBackend({
      file,
      port,
      onErrorLine: complain,
      env: {
        OFAGE_PUBLISHABLE_KEY: server.publishableKey,
        OFAGE_SECRET_KEY: server.secretKey,
        OFAGE_WEBHOOK_SECRET: server.webhookSecret ?? '',
        OFAGE_API_BASE: server.apiBase,
        OFAGE_CONTROL_BASE: server.controlBase,
      },
    });
  } catch (error) {
    complain(reasonOf(error));
    return undefined;
  }
}

/** Stops the server if the file cannot be written, because a client would use other keys. */
async function writeEnv(file: string, server: MockServer): Promise<void> {
  try {
    writeEnvFile(file, toEnv(server));
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Sends the webhooks that an earlier start has held, or says in one line which are held. */
async function settleHold({ control }: MockServer, { sendWebhooks }: StartOptions): Promise<void> {
  if (sendWebhooks) await control.releaseWebhooks();
  const { hosts } = await control.webhookHold();
  if (hosts.length === 0) return;
  complain(
    `Webhooks to ${hosts.join(', ')} are held, because the state comes from a snapshot file; --send-webhooks or the console sends them`,
  );
}

interface Started {
  readonly options: StartOptions;
  readonly server: MockServer;
  readonly data: string | undefined;
  readonly demo: Announcement['demo'];
  readonly hasEndpoint: boolean;
}

function announce({ options, server, data, demo, hasEndpoint }: Started): void {
  const announcement: Announcement = {
    server,
    state: data === undefined ? 'in memory, lost when the mock stops' : toPublicData(data),
    demo,
    hasEndpoint,
    forwardTo: options.forwardTo,
    publicPort: options.publicPort,
    envFile: options.writeEnv,
    hasDocs: existsSync(builtDocs()),
    allowsLoopback: opensLoopback(options),
  };
  if (options.json) process.stdout.write(toReadyLine(announcement));
  else if (!options.quiet)
    process.stdout.write(
      toText(announcement, { isColoured: mayColour(process.stdout, process.env) }),
    );
}

function complain(message: string): void {
  process.stderr.write(toComplaint(message));
}

/**
 * Milliseconds during which a repeated signal is ignored, because npx forwards the Ctrl-C that the terminal
 * has already sent.
 */
const REPEAT_MS = 250;

/**
 * Watches for Ctrl-C and SIGTERM. One that comes during the start ends the process at once, because the start
 * may wait for a database, a name server or the shop, and the state survives it as it survives a crash.
 */
function watchSignals() {
  let stop: (() => void) | undefined;
  let stoppedAtMs: number | undefined;
  const onSignal = (): void => {
    const isRepeated = stoppedAtMs !== undefined && performance.now() - stoppedAtMs > REPEAT_MS;
    // 130 is the exit code that shells use for SIGINT.
    if (!stop || isRepeated) process.exit(130);
    stoppedAtMs ??= performance.now();
    stop();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    /** Resolves at the first signal. One that comes after REPEAT_MS ends the process at once. */
    next: () => new Promise<void>((resolve) => (stop = resolve)),
  };
}
