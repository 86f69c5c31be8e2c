/**
 * Runs the conformance kit against the service of this folder and prints the first failures, one JSON
 * object per line: `node test/mutation/run-kit.ts [server]`. By default the service runs in this process.
 */
import {
  createControlDriver,
  createKit,
  selectChecks,
  type KitOptions,
} from '../../conformance/index.ts';
import { createMockService } from '../../mock-server/index.ts';
import { startMockServer } from '../../mock-server/node.ts';
import { fetchOf, toKitOptions } from '../conformance/in-process.ts';
import { createSenderReceiver, FOLLOWED_REDIRECT } from '../conformance/receivers.ts';

export interface KitFailure {
  readonly id: string;
  readonly level: string;
}

/**
 * The number of failures after which the run stops, because more failures of the same mutant would only
 * take time.
 */
const ENOUGH_FAILURES = 3;

const hasSockets = process.argv[2] === 'server';
const { options, close } = await (hasSockets ? startServer() : startInProcess());
const kit = createKit({ ...options, strict: true, patienceMs: 1_000 });
let failures = 0;
for (const check of selectChecks({ level: 'reading' })) {
  if (failures === ENOUGH_FAILURES) break;
  // These checks describe the additions of the mock, and not the specification.
  if (check.section === 'Hosted page of the mock') continue;
  if (check.id === FOLLOWED_REDIRECT && !hasSockets) continue;
  const { id, level, status } = await kit.run(check);
  if (status !== 'failed') continue;
  failures += 1;
  console.log(JSON.stringify({ id, level } satisfies KitFailure));
}
await kit.close();
await close();
process.stdout.write('', () => process.exit());

interface Host {
  readonly options: KitOptions;
  close(): Promise<void>;
}

async function startInProcess(): Promise<Host> {
  const { sender, receiver } = createSenderReceiver();
  const service = createMockService({ sender });
  return {
    options: { ...toKitOptions(service, receiver), fetch: fetchOf(service) },
    close: () => service.close(),
  };
}

async function startServer(): Promise<Host> {
  const server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
  const { apiBase, secretKey, publishableKey, control, clock } = server;
  const driver = createControlDriver({ control, clock });
  return {
    options: { apiBase, secretKey, publishableKey, driver },
    close: () => server.close(),
  };
}
