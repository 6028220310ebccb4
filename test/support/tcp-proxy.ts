/** A connection to a server that can be cut and frozen, for whoever must cope with that. */
import net from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Breaks what is connected and lets nobody in. */
  cut(): void;
  /** Nothing comes through any more, and nothing breaks. */
  freeze(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  let state: 'open' | 'cut' | 'frozen' = 'open';
  const server = net.createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = net.connect(port, host);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes) => {
        if (state === 'open') to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = (): void => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    cut: () => {
      state = 'cut';
      breakAll();
    },
    freeze: () => {
      state = 'frozen';
    },
    mend: () => {
      // What was swallowed in the meantime is lost: those connections are of no use to anybody.
      if (state === 'frozen') breakAll();
      state = 'open';
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
