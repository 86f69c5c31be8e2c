import { createMockService } from 'ofage/mock';
import { afterEach, beforeEach, expect } from 'vitest';

export const LOOPBACK = 'http://127.0.0.1:4010';
export let service = createMockService();

export async function call(method: string, path: string, body?: unknown, headers: object = {}) {
  const response = await service.fetch(
    new Request(path.startsWith('http') ? path : `${LOOPBACK}/control/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

export const JSON_BODY = { 'content-type': 'application/json' };

export async function createSession(key: string, body: object = {}): Promise<string> {
  const answer = await call(
    'POST',
    `${LOOPBACK}/api/v1/sessions/create`,
    { returnUrl: 'http://localhost/', ...body },
    { authorization: `Bearer ${key}` },
  );
  expect(answer.status).toBe(201);
  return answer.body.sessionId as string;
}

/** Creates a service for each test. */
export function useService(): void {
  beforeEach(() => {
    service = createMockService({ clock: { now: Date.UTC(2026, 0, 1), frozen: true } });
  });
  afterEach(() => service.close());
}
