import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BadDestination, resolveDestination } from './destination.ts';

/** The receiver's response, or the reason why there was none. */
export interface Answer {
  /** 0 if there was no final response. */
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly problem?: 'destination' | 'connection';
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 5;

export interface Message {
  readonly url: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly allowLoopback: boolean;
  readonly signal: AbortSignal;
}

/** Returns the value of the signature header: the HMAC over the bytes that are sent. */
export function sign(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
}

/** Posts the message and follows redirects. Each address is checked before it is connected to. */
export async function send(message: Message): Promise<Answer> {
  let url = new URL(message.url);
  try {
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const address = await resolveDestination(url, message.allowLoopback);
      const { status, retryAfter, location } = await post(url, address, message);
      if (!REDIRECTS.includes(status) || location === undefined) return { status, retryAfter };
      url = new URL(location, url);
    }
    return { status: 0, problem: 'connection' };
  } catch (error) {
    const problem = error instanceof BadDestination ? 'destination' : 'connection';
    return { status: 0, problem };
  }
}

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
}

function post(url: URL, address: string, { body, headers, signal }: Message): Promise<Reply> {
  const { protocol, hostname, port, pathname, search } = url;
  const secure = protocol === 'https:';
  const bytes = Buffer.from(body, 'utf8');
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)({
      // The checked address, so that a second DNS answer cannot lead elsewhere.
      host: address,
      ...(secure && { servername: hostname }),
      port: port === '' ? (secure ? 443 : 80) : Number(port),
      path: pathname + search,
      method: 'POST',
      agent: false,
      signal,
      headers: {
        host: url.host,
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...headers,
      },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume().once('error', reject);
      response.once('end', () => {
        const { 'retry-after': retryAfter, location } = response.headers;
        resolve({ status: response.statusCode ?? 0, retryAfter, location });
      });
    });
    request.end(bytes);
  });
}
