/** A connection to Redis that runs one script, and that nobody waits for longer than they are willing to. */
import { createClient } from '@redis/client';

export interface RedisLink {
  run(keys: readonly string[], values: readonly string[]): Promise<readonly number[]>;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1000;

/** Open means that Redis has answered: it has the script. `onLost` is told when the connection breaks. */
export async function openRedisLink(
  url: string,
  script: string,
  patienceMs: number,
  onLost: () => void,
): Promise<RedisLink> {
  const client = createClient({
    url,
    // The older protocol: every Redis speaks it.
    RESP: 2,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
  });
  client.on('error', onLost);
  const close = (): void => {
    client.off('error', onLost);
    // The library reports what becomes of a closed connection, too.
    client.on('error', () => undefined);
    if (client.isOpen) client.destroy();
  };
  try {
    await within(CONNECT_TIMEOUT_MS, client.connect());
    const hash = await within(CONNECT_TIMEOUT_MS, client.sendCommand<string>(['SCRIPT', 'LOAD', script]));
    return {
      run: (keys, values) =>
        within(
          patienceMs,
          client.sendCommand<number[]>(['EVALSHA', hash, String(keys.length), ...keys, ...values]),
        ),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function within<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Redis did not answer in time.')), milliseconds);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
