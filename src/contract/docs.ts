/** The description of all this: for programs, and for people. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** For people, whose links may have more in their query than is known here: it is not looked at. */
const anyQuery = z.looseObject({});

export const getOpenApi = endpoint({
  ...{ name: 'getOpenApi', method: 'GET', path: '/api/openapi.json', group: 'docs', allows: 'public' },
  isShared: true,
  summary: 'This description as an OpenAPI 3.1 document',
  description: 'Has an `ETag`: whoever sends it back as `If-None-Match` is told when nothing has changed.',
  headers: ['ETag'],
  answer: z.looseObject({ openapi: z.string() }),
});

export const getDocs = endpoint({
  ...{ name: 'getDocs', method: 'GET', path: '/api/docs', group: 'docs', allows: 'public' },
  isShared: true,
  summary: 'This description as a page',
  ...{ query: anyQuery, headers: ['ETag'] },
  contentType: 'text/html; charset=utf-8',
});

/** What the page needs. Not counted: whoever looks something up has asked once. */
export const getDocsStyle = endpoint({
  ...{ name: 'getDocsStyle', method: 'GET', path: '/api/docs/docs.css', group: 'docs', allows: 'public' },
  summary: 'The style sheet of the page',
  ...{ query: anyQuery, headers: ['ETag'] },
  ...{ tier: 'probe', contentType: 'text/css; charset=utf-8' },
});

export const getDocsScript = endpoint({
  ...{ name: 'getDocsScript', method: 'GET', path: '/api/docs/docs.js', group: 'docs', allows: 'public' },
  summary: 'The script of the page',
  ...{ query: anyQuery, headers: ['ETag'] },
  ...{ tier: 'probe', contentType: 'text/javascript; charset=utf-8' },
});

export const getHome = endpoint({
  ...{ name: 'getHome', method: 'GET', path: '/', group: 'docs', allows: 'public', tier: 'probe' },
  summary: 'Leads to the documentation',
  ...{ query: anyQuery, status: 302, headers: ['Location'] },
});

export const getFavicon = endpoint({
  ...{ name: 'getFavicon', method: 'GET', path: '/favicon.ico', group: 'docs', allows: 'public' },
  summary: 'Nothing: browsers ask for it',
  ...{ query: anyQuery, tier: 'probe' },
});
