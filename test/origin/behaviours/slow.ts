import type { Handler } from '../site.ts';

/** Accepts the request and says nothing until the origin is closed. */
export const hang: Handler = () => {};

/** Sends the start of the headers, then one more header byte now and then, for ever. */
export function slowHeaders(intervalMs = 20): Handler {
  return ({ response }) => {
    const { socket } = response;
    if (!socket) return;
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Padding: ');
    const timer = setInterval(() => socket.write('a'), intervalMs);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Headers at once, then a body that comes byte by byte and never ends: each byte resets naive timers. */
export function dripBody(intervalMs = 20): Handler {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<!doctype html><title>Slow</title>');
    const timer = setInterval(() => response.write('.'), intervalMs);
    response.once('close', () => clearInterval(timer));
  };
}

/** Headers at once, then nothing. */
export const stallBody: Handler = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.write('<!doctype html><title>Stalled</title>');
};

/** As much as the client will take, for ever. */
export const endlessBody: Handler = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const chunk = Buffer.from('<p>and so on</p>\n'.repeat(4_000));
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

/** A complete page after a pause. */
export function answerAfter(delayMs: number, body: string): Handler {
  return ({ response }) => {
    const timer = setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(body);
    }, delayMs);
    response.once('close', () => clearTimeout(timer));
  };
}
