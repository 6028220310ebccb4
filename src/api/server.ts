/**
 * The server. Read from top to bottom it is the way of a request: its name and origin are checked, whoever sends it is
 * identified, counted and found permitted; then its body is read and validated, and the route's handler answers.
 */
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { ANONYMOUS, type Principal } from '../control/access/principal.ts';
import { authenticate } from './authenticate.ts';
import { guardHost, guardOrigin } from './guard-origin.ts';
import { answerOnce } from './idempotency.ts';
import { limitRate } from './limit-rate.ts';
import { refuseLater, refuseUnknown } from './not-found.ts';
import { permit } from './permit.ts';
import { refusalOf } from './refusal.ts';
import type { Route } from './route.ts';
import { makeRoutes } from './routes.ts';
import { SECURITY_HEADERS, STRICT_TRANSPORT } from './security-headers.ts';
import type { ServerParts } from './server-parts.ts';
import { validate } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

const BODY_LIMIT_BYTES = 1024 * 1024;
/** A client that sends its request drop by drop is not waited for. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;
const MOST_CONNECTIONS = 10_000;

export interface LogOptions {
  readonly level: string;
  /** Takes one line of JSON at a time. */
  readonly stream: { write(line: string): void };
}

export async function createServer(parts: ServerParts, log: LogOptions): Promise<FastifyInstance> {
  const { config } = parts;
  const app = Fastify({
    logger: { level: log.level, stream: log.stream, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => nameRequest(request.headers['x-request-id']),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    exposeHeadRoutes: true,
    clientErrorHandler: refuseLater,
    frameworkErrors: (error, request, reply) => void sendRefusal(error, request, reply),
  });
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  app.server.maxConnections = MOST_CONNECTIONS;
  acceptJsonOnly(app);
  app.decorateRequest('principal');

  app.addHook('onRequest', async (request, reply) => {
    request.principal = ANONYMOUS;
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    if (request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    const { endpoint } = request.routeOptions.config;
    if (endpoint?.tier !== 'probe') guardHost(request, config);
    guardOrigin(request, config);
    await identify(parts, request, reply, endpoint);
    if (endpoint !== undefined) permit(request.principal, endpoint);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    // Probes come every few seconds and say nothing.
    if (endpoint?.tier === 'probe' && reply.statusCode < 400) return;
    request.log.info(
      {
        ...{
          method: request.method,
          path: request.url.split('?', 1)[0]?.slice(0, 300),
          status: reply.statusCode,
        },
        ...{ ms: Math.round(reply.elapsedTime), address: request.ip, actor: request.principal.actor },
      },
      'request',
    );
  });
  const routes = makeRoutes(parts);
  for (const route of routes) addRoute(app, parts, route);
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
  app.setNotFoundHandler(async (request) => refuseUnknown(request, routes));
  return app;
}

/** A wrong key costs one of the requests its address has, or keys could be guessed at any speed. */
async function identify(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint | undefined,
): Promise<void> {
  try {
    request.principal = await authenticate(parts.db, request);
  } finally {
    await limitRate(parts, request, reply, endpoint);
  }
}

function addRoute(app: FastifyInstance, parts: ServerParts, { endpoint, handle }: Route): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.bodyLimitBytes === undefined ? {} : { bodyLimit: endpoint.bodyLimitBytes }),
    handler: async (request, reply) => {
      const { params, query, body } = validate(endpoint, request);
      const call = {
        ...{ params, query, body, request, reply },
        ...{ principal: request.principal, address: request.ip, requestId: request.id },
      };
      reply.status(
        endpoint.status ?? (endpoint.answer === undefined && endpoint.contentType === undefined ? 204 : 200),
      );
      const answer = await answerOnce(parts, endpoint, request, reply, () => handle(call));
      return reply.sent ? reply : answer;
    },
  });
}

/** A JSON body or none; the framework's parser refuses `__proto__`. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parse(request, text as string, done);
  });
}

function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.code === 'internal') request.log.error({ err: error }, 'defect');
  else if (refusal.status >= 500) request.log.warn({ code: refusal.code, err: error }, 'refused');
  return reply
    .status(refusal.status)
    .headers(refusal.headers)
    .header('x-request-id', request.id)
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify(refusal.toProblem(request.id)));
}

/** A name that a proxy gave it is kept, as long as it can do no harm in a log. */
function nameRequest(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
