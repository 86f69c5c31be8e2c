import { connect, type Socket } from 'node:net';

/** The response to raw bytes on a socket. */
export interface RawAnswer {
  /** The status codes of the responses, in order. */
  readonly statuses: number[];
  readonly text: string;
  /** The end of the connection: the server closed it, reset it, or left it open after the last response. */
  readonly end: 'closed' | 'reset' | 'open';
}

/**
 * Sends the bytes and reads until the server closes, or until `answers` responses have arrived. A server
 * that does neither fails the test by its time limit.
 */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { answers = Infinity }: { answers?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const toAnswer = (end: RawAnswer['end']): void => {
      socket.destroy();
      resolve({ statuses: statusesOf(text), text, end });
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (statusesOf(text).length >= answers) toAnswer('open');
    });
    socket.on('close', () => toAnswer('closed')).on('error', () => toAnswer('reset'));
    socket.write(bytes);
  });
}

/** Opens connections that start a request and never finish it. Returns a function that closes them. */
export async function holdOpen(port: number, count: number, bytes: string): Promise<() => void> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.write(bytes);
  }
  return () => sockets.forEach((socket) => socket.destroy());
}

function statusesOf(text: string): number[] {
  return Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, status]) => Number(status));
}
