import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { createTestTls } from './tls.ts';

/** What a tunnel or a proxy does with the head of a request, by its behaviour. */
export const PROXY_KINDS = {
  'keeps the Host': (head: Head) => head,
  // The default of several tunnels, which also rewrite the origin of the page.
  'rewrites the Host and the Origin to loopback': (head: Head, port: number) =>
    head.map(([name, value]): [string, string] => {
      if (/^host$/i.test(name)) return [name, `127.0.0.1:${port}`];
      return [name, /^origin$/i.test(name) ? `http://127.0.0.1:${port}` : value];
    }),
  'adds forged forwarding headers': (head: Head) => [...head, ...FORGED],
} satisfies Record<string, (head: Head, port: number) => Head>;

export type ProxyKind = keyof typeof PROXY_KINDS;

/** The headers of a request, in order. */
type Head = [name: string, value: string][];

const FORGED: Head = [
  ['Forwarded', 'for=127.0.0.1;host=localhost:4010;proto=http'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-Host', 'localhost:4010'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-Prefix', '/control/v1'],
  ['X-Original-URL', '/control/v1/state'],
  ['X-Rewrite-URL', '/control/v1/state'],
  ['X-HTTP-Method-Override', 'DELETE'],
];

export interface TlsProxy {
  /** The port of the proxy, which accepts CONNECT, as a browser's proxy setting needs it. */
  readonly port: number;
  stop(): void;
}

/**
 * Starts a proxy that ends TLS and passes each request on in plain HTTP, like a tunnel.
 * @param ports The port on this computer of each host name.
 */
export async function startTlsProxy(
  kind: ProxyKind,
  ports: Readonly<Record<string, number>>,
): Promise<TlsProxy> {
  const { key, cert } = createTestTls(Object.keys(ports));
  const sockets = new Set<Socket>();
  const keep = <S extends Socket>(socket: S): S => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy());
  };
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('connect', ({ url = '' }, socket: Socket) => {
    const port = ports[url.replace(/:443$/, '')];
    keep(socket);
    // No host but the given ones exists, so no test reaches the network.
    if (port === undefined) return socket.end('HTTP/1.1 502 Unknown host\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    passOn(
      keep(new TLSSocket(socket, { isServer: true, key, cert })),
      keep(connect(port, '127.0.0.1')),
      (head) => PROXY_KINDS[kind](head, port),
    );
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}

/** Passes on the request of a connection, and the response. A connection has one request. */
function passOn(from: TLSSocket, to: Socket, change: (head: Head) => Head): void {
  let start = Buffer.alloc(0);
  const onData = (bytes: Buffer): void => {
    start = Buffer.concat([start, bytes]);
    const end = start.indexOf('\r\n\r\n');
    if (end < 0) return;
    from.off('data', onData);
    const [line = '', ...headers] = start.subarray(0, end).toString('latin1').split('\r\n');
    const head = headers.map((text): [string, string] => {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(text) ?? [];
      return [name, value];
    });
    // The next request of this connection would not be changed.
    const isUpgrade = head.some(([name]) => /^upgrade$/i.test(name));
    const others = head.filter(([name]) => isUpgrade || !/^connection$/i.test(name));
    const sent = change(isUpgrade ? others : [...others, ['Connection', 'close']]);
    const lines = [line, ...sent.map(([name, value]) => `${name}: ${value}`)];
    to.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    to.write(start.subarray(end + 4));
    from.pipe(to);
  };
  from.on('data', onData);
  to.pipe(from);
}

/** Sends bytes through the proxy to a host, and reads until the server closes. */
export async function sendThrough(
  proxy: TlsProxy,
  host: string,
  bytes: string,
): Promise<{ readonly statuses: number[]; readonly text: string }> {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`);
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  // The browser ignores the authority too. The tests are about what is sent over the connection.
  const secure = connectTls({ socket, servername: host, rejectUnauthorized: false });
  let text = '';
  secure.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const ended = new Promise<void>((resolve) => secure.on('close', resolve).on('error', () => {}));
  secure.write(bytes);
  await ended;
  const statuses = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, status]) =>
    Number(status),
  );
  return { statuses, text };
}
