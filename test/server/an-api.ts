import type { ServerResponse } from 'node:http';
import { type ClientOptions, type OfAgeError, createClient, isOfAgeError } from 'ofage/server';
import { onTestFinished } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { SECRET_KEY } from './builders.ts';

export const returnUrl = 'https://shop.example/return?cart=7';

/** Creates a client of a real HTTP server that simulates the API. The server closes after the test. */
export async function aClient(
  answer: (response: ServerResponse) => void,
  options: Partial<ClientOptions> = {},
) {
  const { port, received, close } = await startReceiver(answer);
  onTestFinished(close);
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  return {
    client: createClient({ secretKey: SECRET_KEY, baseUrl, ...options }),
    received,
    baseUrl,
  };
}

/** Answers every request with the same status and JSON body. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Builds the error body of the interface specification. */
export const envelope = (statusCode: number, message: string | string[], more: object = {}) => ({
  statusCode,
  message,
  timestamp: '2026-01-02T03:04:05.678Z',
  path: '/api/v1/sessions/validate',
  ...more,
});

export async function rejectionOf(promise: Promise<unknown>): Promise<OfAgeError> {
  try {
    await promise;
  } catch (error) {
    if (isOfAgeError(error)) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}
