import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy that breaks the connection between client and server at a moment that the test chooses. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Breaks the client's connection when it next sends these bytes, before it receives a response.
   * @param passOn Delay in milliseconds after which the server still receives the bytes, or null for never.
   */
  cutAt(bytes: string, passOn: number | null): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number, port = 0): Promise<CuttingProxy> {
  let cut: { bytes: string; passOn: number | null } | null = null;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    server.pipe(client);
    server.on('end', () => client.destroy());
    client.on('end', () => server.end());
    client.on('data', (data) => {
      if (!cut || !data.includes(cut.bytes)) {
        server.write(data);
        return;
      }
      const { passOn } = cut;
      cut = null;
      server.unpipe(client);
      client.destroy();
      if (passOn === null) server.destroy();
      else setTimeout(() => server.end(data), passOn);
    });
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    cutAt(bytes, passOn) {
      cut = { bytes, passOn };
    },
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
