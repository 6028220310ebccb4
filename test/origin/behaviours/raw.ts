import type { Socket } from 'node:net';
import type { Handler } from '../site.ts';

/** Answers with these bytes, untouched by any HTTP library; `after` decides what becomes of the connection. */
export function rawAnswer(bytes: string | Buffer, after: (socket: Socket) => void = () => {}): Handler {
  return ({ response }) => {
    const { socket } = response;
    if (!socket) return;
    socket.write(bytes, () => after(socket));
  };
}

const endCleanly = (socket: Socket) => void socket.end();
const reset = (socket: Socket) => void socket.resetAndDestroy();

function head(lines: readonly string[]): string {
  return ['HTTP/1.1 200 OK', 'Content-Type: text/html', ...lines, '', ''].join('\r\n');
}

export const dropBeforeHeaders: Handler = ({ response }) => void response.socket?.destroy();
export const resetBeforeHeaders: Handler = ({ response }) => void response.socket?.resetAndDestroy();
export const dropMidHeaders = rawAnswer('HTTP/1.1 200 OK\r\nContent-Type: text/h', endCleanly);
/** A chunked body whose last chunk never comes. */
export const dropMidBody = rawAnswer(`${head(['Transfer-Encoding: chunked'])}5\r\nhello\r\n`, endCleanly);
export const resetMidBody = rawAnswer(`${head(['Content-Length: 1000'])}hello`, reset);
/** Promises more than it sends. */
export const shortBody = rawAnswer(`${head(['Content-Length: 1000'])}<p>short`, endCleanly);
/** Sends more than it promised; the rest looks like another answer. */
export const longBody = rawAnswer(
  `${head(['Content-Length: 8'])}<p>right${head(['Content-Length: 8'])}<p>wrong`,
);
export const negativeLength = rawAnswer(`${head(['Content-Length: -5'])}hello`);
export const twoLengths = rawAnswer(`${head(['Content-Length: 5', 'Content-Length: 9'])}hello`);
/** HTTP/1.0 manners: no length, the end of the connection is the end of the body. */
export const untilClose = rawAnswer('HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>old', endCleanly);
export const notHttp = rawAnswer('SSH-2.0-OpenSSH_9.2\r\n');
export const bareHtml = rawAnswer('<html><body>HTTP/0.9</body></html>', endCleanly);
export const badChunkSize = rawAnswer(`${head(['Transfer-Encoding: chunked'])}zz\r\nhello\r\n0\r\n\r\n`);
export const badStatusLine = rawAnswer('HTTP/1.1 abc\r\n\r\n');
export const invalidHeaderName = rawAnswer(head(['Bad Header: 1', 'Content-Length: 0']));
export const invalidHeaderBytes = rawAnswer(head(['X-Bad: a\0b', 'Content-Length: 0']));
/** Bytes above 0x7f are legal in header values, whatever they mean. */
export const highHeaderBytes = rawAnswer(
  Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Name: '),
    Buffer.from([0xc3, 0xa9, 0xff]),
    Buffer.from('\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'),
  ]),
  endCleanly,
);
/** An interim answer before the real one. */
export const earlyHints = rawAnswer(
  `HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n${head(['Connection: close', 'Content-Length: 2'])}ok`,
  endCleanly,
);

/** Header lines without end. */
export const headerFlood: Handler = ({ response }) => {
  const { socket } = response;
  if (!socket) return;
  socket.write('HTTP/1.1 200 OK\r\n');
  const lines = `X-Flood: ${'f'.repeat(1_000)}\r\n`.repeat(60);
  const pour = () => {
    while (!socket.destroyed && socket.write(lines));
  };
  socket.on('drain', pour);
  pour();
};

/** Answers once per connection and then closes it without having said so, as busy servers do. */
export function closeAfterAnswer(body: string): Handler {
  return rawAnswer(`${head([`Content-Length: ${Buffer.byteLength(body)}`])}${body}`, (socket) =>
    socket.end(),
  );
}

/** Serves the first request of each connection and hangs up on the second. */
export function dropSecondOnConnection(page: Handler): Handler {
  const used = new WeakSet<Socket>();
  return (exchange) => {
    const { socket } = exchange.request;
    if (used.has(socket)) {
      socket.destroy();
      return;
    }
    used.add(socket);
    return page(exchange);
  };
}
