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
import type { Problem } from '../contract/problems.ts';
import { ANONYMOUS, type Principal } from '../control/access/principal.ts';
import { makeProxyTrust } from './client-address.ts';
import { limitConnections } from './connection-limits.ts';
import { CredentialGuard } from './credential-guard.ts';
import { answerOnce } from './idempotency.ts';
import { acceptJsonOnly } from './json-body.ts';
import { type Door, letIn, turnAway } from './let-in.ts';
import { PlacesAtOnce } from './limit-at-once.ts';
import { answerUnknown } from './not-found.ts';
import { permit } from './permit.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { refuseExpectation, refuseSocket } from './refuse-socket.ts';
import { logRequest } from './request-log.ts';
import type { Route } from './route.ts';
import { makeRoutes } from './routes.ts';
import { SECURITY_HEADERS, STRICT_TRANSPORT } from './security-headers.ts';
import { SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import type { ServerParts } from './server-parts.ts';
import { dropStalledClients } from './stalled-clients.ts';
import { validate } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    /** Of the client, as far as the proxies in between can be trusted. */
    address: string;
  }
  interface FastifyInstance {
    /** Those who log in tell it of their new session. */
    credentials: CredentialGuard;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

export interface LogOptions {
  readonly level: string;
  /** Takes one line of JSON at a time. */
  readonly stream: { write(line: string): void };
}

export async function createServer(
  parts: ServerParts,
  log: LogOptions,
  limits: ServerLimits = SERVER_LIMITS,
): Promise<FastifyInstance> {
  const trust = makeProxyTrust(parts.config.trustedProxies);
  const credentials = new CredentialGuard(parts.authDb, limits.badCredentialsPerMinute);
  const door: Door = { parts, limits, credentials };
  const places = new PlacesAtOnce(limits.atOnce, limits.waitingAtOnce);
  const greet = (request: FastifyRequest, reply: FastifyReply): void => {
    request.principal = ANONYMOUS;
    request.address = trust.readAddress(request.raw);
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id, 'cache-control': 'no-store' });
    if (request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
  };
  const app = Fastify({
    logger: { level: log.level, stream: log.stream, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => nameRequest(request.headers['x-request-id']),
    trustProxy: (address) => trust.isTrusted(address),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.stalledMs,
    http: {
      connectionsCheckingInterval: limits.checkEveryMs,
      headersTimeout: limits.headersTimeoutMs,
      // Refused below, with a reason.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    // Whoever came before the doors were closed is served.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    exposeHeadRoutes: true,
    clientErrorHandler: refuseSocket,
    // Addresses that no router can read; the hooks below are not run for them.
    frameworkErrors: (error, request, reply) => {
      greet(request, reply);
      turnAway(door, request, reply)
        .then(
          () => sendRefusal(error, request, reply),
          (refused) => sendRefusal(refused, request, reply),
        )
        .finally(() => logRequest(request, reply));
    },
  });
  limitConnections(app.server, limits, trust);
  dropStalledClients(app.server, limits.checkEveryMs, limits.stalledMs);
  app.server.on('checkExpectation', (_request, response) => refuseExpectation(response));
  acceptJsonOnly(app);
  app.decorate('credentials', credentials);
  app.decorateRequest('principal');
  app.decorateRequest('address', '');

  app.addHook('onRequest', async (request, reply) => {
    greet(request, reply);
    const { endpoint } = request.routeOptions.config;
    await letIn(door, request, reply, endpoint);
    if (endpoint !== undefined) permit(request.principal, endpoint);
    else if (!request.is404) throw new Error('This route does not say who may use it.');
  });
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  // Streams have no end of their own to be waited for.
  app.addHook('preClose', async () => parts.live.endAll());
  app.addHook('preClose', async () => parts.botDesk.endAll());
  parts.metrics.watch(app);
  const routes = makeRoutes(parts);
  for (const route of routes) addRoute(app, parts, places, route);
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => answerUnknown(request, reply, routes));
  return app;
}

function addRoute(
  app: FastifyInstance,
  parts: ServerParts,
  places: PlacesAtOnce,
  { endpoint, handle }: Route,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.bodyLimitBytes === undefined ? {} : { bodyLimit: endpoint.bodyLimitBytes }),
    handler: async (request, reply) => {
      const { params, query, body } = validate(endpoint, request);
      const call = {
        ...{ params, query, body, request, reply },
        ...{ principal: request.principal, address: request.address, requestId: request.id },
      };
      reply.status(
        endpoint.status ?? (endpoint.answer === undefined && endpoint.contentType === undefined ? 204 : 200),
      );
      const work = (): Promise<unknown> => answerOnce(parts, endpoint, call, () => handle(call));
      const isUncounted = endpoint.isShared === true || endpoint.keepsOwnPlaces === true;
      const answer = await (endpoint.tier === 'probe' || isUncounted ? work() : places.run(request, work));
      return reply.sent ? reply : answer;
    },
  });
}

function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.code === 'internal') request.log.error({ err: error }, 'defect');
  else if (refusal.status >= 500) request.log.warn({ code: refusal.code, err: error }, 'refused');
  return reply
    .status(refusal.status)
    .headers(refusal.headers)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify({ ...refusal.toProblem(request.id), ...inWordsOfBots(request, refusal) }));
}

function inWordsOfBots(
  { routeOptions }: FastifyRequest,
  { code }: Refusal,
): Pick<Problem, 'success' | 'error'> {
  if (routeOptions?.config?.endpoint?.tellsSuccess !== true) return {};
  return { success: false, error: code === 'invalid' ? 'validation_error' : code.replaceAll('-', '_') };
}

/** A name that a proxy gave it is kept, as long as it can do no harm in a log. */
function nameRequest(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
