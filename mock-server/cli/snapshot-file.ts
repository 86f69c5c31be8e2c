import { existsSync } from 'node:fs';
import { isDatabaseUrl } from '../hosts/node-data.ts';
import { createMockService } from '../service/service.ts';
import { reasonOf } from '../store/errors.ts';
import { readJsonFile } from './json-file.ts';

/**
 * Reads the snapshot that a new state begins with, and checks that it can be loaded.
 * @param data The file or database of the state. Undefined if it is in memory.
 * @throws {Error} with a readable message if the snapshot is invalid, or if a state exists, which the
 *   snapshot would replace
 */
export async function readSnapshotFile(file: string, data: string | undefined): Promise<unknown> {
  try {
    if (data !== undefined) assertNoState(data);
    const snapshot = readJsonFile(file);
    await assertLoadable(snapshot);
    return snapshot;
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`Cannot start with the snapshot "${file}": ${reason}`, { cause });
  }
}

function assertNoState(data: string): void {
  if (isDatabaseUrl(data))
    throw new Error(
      'other servers may share the state of a database; start without --snapshot, and load the file in the console',
    );
  if (existsSync(data))
    throw new Error(
      `the data file "${data}" has a state already; use --ephemeral, or --data with a new file`,
    );
}

/** Loads the snapshot in memory first, because a failure later would leave a new data file behind. */
async function assertLoadable(snapshot: unknown): Promise<void> {
  const service = createMockService();
  try {
    await service.control.loadSnapshot(snapshot);
  } finally {
    await service.close();
  }
}
