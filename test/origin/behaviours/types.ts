import { type Handler, htmlPage } from '../site.ts';

/** Any body under any Content-Type, or under none. */
export function typed(contentType: string | undefined, body: string | Buffer): Handler {
  return ({ response }) => {
    const type = contentType === undefined ? {} : { 'content-type': contentType };
    response.writeHead(200, { ...type, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
}

export const pdf = typed('application/pdf', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n');
export const image = typed('image/png', Buffer.from('89504e470d0a1a0a', 'hex'));
/** An image that claims to be a page. */
export const imageAsHtml = typed('text/html', Buffer.from('89504e470d0a1a0a', 'hex'));
export const untypedHtml = typed(undefined, htmlPage('No type'));
export const untypedBinary = typed(undefined, Buffer.alloc(200_000, 7));
export const emptyPage = typed('text/html', '');
export const hugePage = (bytes = 11_000_000): Handler => typed('text/html', Buffer.alloc(bytes, 'h'));

/** A film without end. */
export const endlessVideo: Handler = ({ response }) => {
  response.writeHead(200, { 'content-type': 'video/mp4' });
  const chunk = Buffer.alloc(65_536);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};
