/**
 * The way to a search server, by the official client of its maker: that of Elasticsearch refuses to speak with
 * OpenSearch, so the server is asked what it is first. Whatever goes wrong on the way is a SearchServerError; answers
 * that the caller says it expects are not.
 */
import { request as plainRequest } from 'undici';
import { redactUrl } from '../../platform/redact-url.ts';
import { SearchServerError } from '../search-server-error.ts';

export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | boolean | number>>;
  readonly body?: object;
  /** Lines of a bulk. */
  readonly lines?: readonly object[];
  /** HTTP statuses that are answers, not failures. */
  readonly expects?: readonly number[];
}

export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface SearchTransport {
  readonly kind: 'elasticsearch' | 'opensearch';
  readonly version: string;
  request(request: ServerRequest): Promise<ServerAnswer>;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 10_000;
const GREET_TIMEOUT_MS = 5000;

interface Address {
  /** Without user name and password. */
  readonly node: string;
  readonly auth: { readonly username: string; readonly password: string } | undefined;
}

export async function connectToServer(url: string): Promise<SearchTransport> {
  const address = parseAddress(url);
  const { kind, version } = await greet(address);
  return kind === 'opensearch' ? openOpenSearch(address, version) : openElasticsearch(address, version);
}

function parseAddress(text: string): Address {
  const url = new URL(text);
  const auth =
    url.username === ''
      ? undefined
      : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  url.username = '';
  url.password = '';
  return { node: url.href.replace(/\/$/, ''), auth };
}

async function greet({ node, auth }: Address): Promise<{ kind: SearchTransport['kind']; version: string }> {
  try {
    const basic =
      auth === undefined ? '' : Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
    const { statusCode, body } = await plainRequest(`${node}/`, {
      ...{ headersTimeout: GREET_TIMEOUT_MS, bodyTimeout: GREET_TIMEOUT_MS },
      signal: AbortSignal.timeout(GREET_TIMEOUT_MS),
      headers: { accept: 'application/json', ...(basic === '' ? {} : { authorization: `Basic ${basic}` }) },
    });
    const text = await body.text();
    const isElsewhere = statusCode !== 200 && statusCode !== 404 && (statusCode < 300 || statusCode >= 400);
    if (isElsewhere) throw new Error(`it answers with status ${statusCode}`);
    const version = statusCode === 200 ? readVersion(text) : undefined;
    if (version === undefined) throw new Error('this is no Elasticsearch or OpenSearch');
    return {
      kind: version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch',
      version: version.number,
    };
  } catch (error) {
    throw failure(error, node);
  }
}

/** Of what such a server says of itself; undefined: it is something else. */
function readVersion(text: string): { readonly distribution?: unknown; readonly number: string } | undefined {
  try {
    const { version } = JSON.parse(text) as { version?: { distribution?: unknown; number?: unknown } };
    const number = version?.number;
    return typeof number === 'string' ? { ...version, number } : undefined;
  } catch {
    return undefined;
  }
}

async function openElasticsearch({ node, auth }: Address, version: string): Promise<SearchTransport> {
  const { Client } = await import('@elastic/elasticsearch');
  const client = new Client({
    ...{ node, maxRetries: 0, requestTimeout: REQUEST_TIMEOUT_MS, enableMetaHeader: false },
    ...(auth === undefined ? {} : { auth }),
  });
  return {
    ...{ kind: 'elasticsearch', version },
    request: async ({ method, path, query = {}, body, lines, expects = [] }) => {
      try {
        const { statusCode, body: answer } = await client.transport.request(
          {
            ...{ method, path, querystring: query },
            ...(body === undefined ? {} : { body }),
            ...(lines === undefined ? {} : { bulkBody: [...lines] }),
          },
          { meta: true, ignore: [...expects] },
        );
        return { status: statusCode, body: answer };
      } catch (error) {
        throw failure(error, node);
      }
    },
    close: () => client.close(),
  };
}

async function openOpenSearch({ node, auth }: Address, version: string): Promise<SearchTransport> {
  const { Client } = await import('@opensearch-project/opensearch');
  const client = new Client({
    ...{ node, maxRetries: 0, requestTimeout: REQUEST_TIMEOUT_MS },
    ...(auth === undefined ? {} : { auth }),
  });
  return {
    ...{ kind: 'opensearch', version },
    request: async ({ method, path, query = {}, body, lines, expects = [] }) => {
      try {
        const { statusCode, body: answer } = await client.transport.request(
          {
            ...{ method, path, querystring: query },
            ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
            ...(lines === undefined ? {} : { bulkBody: lines as Record<string, unknown>[] }),
          },
          { ignore: [...expects] },
        );
        return { status: statusCode ?? 0, body: answer };
      } catch (error) {
        throw failure(error, node);
      }
    },
    close: async () => void (await client.close()),
  };
}

/** What is told of it names the server without its password. */
function failure(error: unknown, node: string): SearchServerError {
  const status = (error as { statusCode?: unknown }).statusCode;
  const text = error instanceof Error ? error.message.split('\n')[0] : String(error);
  const sentence = `${redactUrl(node)}: ${(text ?? '').slice(0, 500)}`;
  return new SearchServerError(sentence, typeof status === 'number' ? status : undefined);
}
