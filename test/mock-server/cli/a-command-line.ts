import { afterEach, beforeEach, expect } from 'vitest';
import { startMockServer, type MockServer } from '../../../mock-server/hosts/node-server.ts';
import { createSession as createOn } from '../../support/api.ts';
import { type, type Said } from './a-terminal.ts';

export let server: MockServer;
export let env: Record<string, string>;

export const ofageMock = (line: string): Promise<Said> => type(line.split(' '), { env });

/** Runs a command that must succeed, and parses its results, one JSON value per line. */
export async function results<T = any>(line: string): Promise<T[]> {
  const { code, stdout, stderr } = await ofageMock(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as T);
}

export async function createSession(externalUserId?: string): Promise<string> {
  const { body } = await createOn(server, { externalUserId });
  return body.sessionId;
}

/** Starts a server for each test of the file. */
export function useServer(): void {
  beforeEach(async () => {
    server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
    env = { OFAGE_MOCK_URL: new URL(server.apiBase).origin };
  });
  afterEach(() => server.close());
}
