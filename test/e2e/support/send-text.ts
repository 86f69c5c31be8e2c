import type { ServerResponse } from 'node:http';

/** Answers a request with a text of the given media type. */
export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...headers });
  response.end(body);
}
