import { type ClientRequest, request } from 'node:http';

interface Answer {
  status: number;
  text: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** Sends exactly these bytes over a socket, with `content-length`. */
export function postWebhook(
  port: number,
  body: string | Uint8Array,
  headers: object,
): Promise<Answer> {
  const length = { 'content-length': Buffer.byteLength(body) };
  return send(port, { ...length, ...headers }, (outgoing) => outgoing.end(body));
}

/** Sends the chunks one after the other, with `transfer-encoding: chunked`. */
export function postInPieces(
  port: number,
  pieces: readonly string[],
  headers: object,
): Promise<Answer> {
  return send(port, { 'transfer-encoding': 'chunked', ...headers }, (outgoing) => {
    for (const piece of pieces) outgoing.write(piece);
    outgoing.end();
  });
}

function send(
  port: number,
  headers: object,
  write: (outgoing: ClientRequest) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: '/webhooks/ofage',
        method: 'POST',
        // With this option, the connection closes after the response.
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        );
      },
    ).on('error', reject);
    write(outgoing);
  });
}
