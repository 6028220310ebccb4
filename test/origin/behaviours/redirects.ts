import { type Handler, html, htmlPage } from '../site.ts';

export function redirectTo(location: string, status = 302): Handler {
  return ({ response }) => {
    response.writeHead(status, { location, 'content-type': 'text/html' });
    response.end(`<a href="${location}">moved</a>`);
  };
}

export const redirectWithoutLocation: Handler = ({ response }) => {
  response.writeHead(302, { 'content-type': 'text/html' });
  response.end('<p>moved, but where?</p>');
};

/** `…/3` → `…/2` → `…/1` → `…/0`, which is a page. For a pattern such as `/chain/*`. */
export const redirectChain: Handler = (exchange) => {
  const [, base = '', left = '0'] = /^(.*\/)(\d+)$/.exec(exchange.url.pathname) ?? [];
  if (Number(left) === 0) return html(() => htmlPage('End of the chain'))(exchange);
  return redirectTo(`${base}${Number(left) - 1}`)(exchange);
};

/** A redirect whose body goes on for ever. */
export const redirectWithEndlessBody: Handler = ({ response }) => {
  response.writeHead(302, { location: '/elsewhere' });
  const chunk = Buffer.alloc(65_536, 'x');
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};
