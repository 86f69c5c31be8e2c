/** Starts the mock service and, without `--no-demo`, the demo shop with the built command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createControlClient, type ControlClient } from '../../../mock-server/client.ts';

const CLI = fileURLToPath(new URL('../../../mock-server/dist/ofage-mock.js', import.meta.url));

export interface Provider {
  /** The base URL of the API, for example `http://127.0.0.1:41234/api/v1`. */
  readonly apiBase: string;
  readonly controlBase: string;
  /** Origin of the demo shop, on `localhost`. */
  readonly shop: string;
  readonly tenantId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly client: ControlClient;
  stop(): Promise<void>;
}

export async function startProvider(args: readonly string[] = []): Promise<Provider> {
  const child = spawn(
    process.execPath,
    // The receivers of the tests listen on this machine.
    [CLI, '--demo', '--port', '0', '--ephemeral', '--allow-loopback-webhooks', '--json', ...args],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout });
  const first = once(lines, 'line').then(([line]) => JSON.parse(String(line)) as Provider);
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`ofage-mock ended with code ${String(code)} before it was ready`);
  });
  const ready = await Promise.race([first, exited]);
  exited.catch(() => {});
  return {
    ...ready,
    shop: new URL(ready.shop).origin,
    client: createControlClient({ baseUrl: ready.controlBase }),
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
