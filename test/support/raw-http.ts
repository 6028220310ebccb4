/** Requests as bytes, for those that no decent client would send. */
import net from 'node:net';

export interface RawAnswer {
  /** All that came back. */
  readonly text: string;
  /** Of the first answer; undefined: the connection was closed without one. */
  readonly status: number | undefined;
  /** The problem in the first answer. */
  readonly code: string | undefined;
}

export function connectTo(url: string): net.Socket {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  // What breaks is seen by what is read, and by the end of it.
  socket.on('error', () => undefined);
  return socket;
}

/** When the server has hung up, in whatever way. */
export function hungUp(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) socket.once(event, () => resolve());
    if (socket.destroyed) resolve();
  });
}

/** Sends the pieces one after the other and reads until the server closes, or `isEnough` says so. */
export function sendRaw(
  url: string,
  pieces: string | Buffer | readonly (string | Buffer)[],
  isEnough: (text: string) => boolean = () => false,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connectTo(url);
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(readAnswer(text));
    };
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (isEnough(text)) end();
    });
    socket.on('end', end);
    socket.on('close', end);
    const list = typeof pieces === 'string' || Buffer.isBuffer(pieces) ? [pieces] : pieces;
    for (const piece of list) socket.write(piece);
  });
}

export function readAnswer(text: string): RawAnswer {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  const body = text.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  return {
    text,
    status: status === undefined ? undefined : Number(status),
    code: /"code":"([a-z-]+)"/.exec(body)?.[1],
  };
}

/** How many answers there are in what came back. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map((match) => Number(match[1]));
}
