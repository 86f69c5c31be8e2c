import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends the complete bytes of one request and resolves with its response. */
export type Send = (bytes: string) => Promise<Answer>;

/** Opens a keep-alive connection that carries one request at a time. */
export function openConnection(port: number): Promise<Send> {
  return new Promise((opened, failed) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    let received = '';
    let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
    socket.once('error', (error) => (waiting ? waiting.reject(error) : failed(error)));
    socket.once('close', () => waiting?.reject(new Error('The server closed the connection')));
    socket.on('data', (text: string) => {
      received += text;
      const body = bodyOf(received);
      if (body === null) return;
      const status = Number(received.slice(9, 12));
      received = '';
      const { resolve } = waiting!;
      waiting = undefined;
      resolve({ status, body });
    });
    socket.once('connect', () =>
      opened(
        (bytes) =>
          new Promise((resolve, reject) => {
            waiting = { resolve, reject };
            socket.write(bytes);
          }),
      ),
    );
  });
}

/** Returns the body, or null if it is not complete yet. */
function bodyOf(text: string): string | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1];
  const body = text.slice(end + 4);
  if (length !== undefined) return body.length >= Number(length) ? body : null;
  return body.endsWith('0\r\n\r\n') ? body : null;
}
