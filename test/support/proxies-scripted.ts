/** A proxy that does what a test tells it: for everything that no real one can be brought to do. */
import { once } from 'node:events';
import net from 'node:net';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';

export interface ScriptedProxy {
  readonly port: number;
  /** What each connection was told, oldest first. */
  readonly told: Buffer[];
  endpoint(id: number, changes?: Partial<ProxyEndpoint>): ProxyEndpoint;
  close(): Promise<void>;
}

/** `onTold` is called whenever a client said something, with all it has said on this connection. */
export async function startScriptedProxy(
  onTold: (socket: net.Socket, said: Buffer) => void,
): Promise<ScriptedProxy> {
  const told: Buffer[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const index = told.push(Buffer.alloc(0)) - 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      const said = Buffer.concat([told[index] ?? Buffer.alloc(0), chunk]);
      told[index] = said;
      onTold(socket, said);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    ...{ port, told },
    endpoint: (id, changes = {}) => {
      const base = {
        protocol: 'http',
        host: '127.0.0.1',
        port,
        username: undefined,
        password: undefined,
      } as const;
      const made = { id, ...base, ...changes };
      return { key: JSON.stringify(made), ...made };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
