import { expect } from 'vitest';
import { RETURN_URL, type Call, type World } from './world.ts';

/** One requirement of the interface specification, or of our interpretation of it. */
export interface ContractCase {
  readonly name: string;
  readonly why: string;
  /** The settings of the account. */
  readonly tenant?: Parameters<World['control']['createTenant']>[0];
  /** Prepares the state and returns the request. */
  readonly call: (world: World) => Call | Promise<Call>;
  readonly status: number;
  /** The expected body. For an error, `message` is enough. */
  readonly body?: (world: World) => object | Promise<object>;
  readonly message?: string | readonly string[];
  readonly headers?: Readonly<Record<string, string | null>>;
}

export const MINUTES_MS = 60_000;
export const STRING: unknown = expect.any(String);
export const UUID: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

export const ok = (extra: object = {}) => ({ returnUrl: RETURN_URL, ...extra });

export const later = async (isoTime: string, ms: number): Promise<string> =>
  new Date(Date.parse(isoTime) + ms).toISOString();

export function envelope(
  statusCode: number,
  error: string,
  path: string,
  timestamp: string,
): object {
  return { statusCode, timestamp, path, error };
}

export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
