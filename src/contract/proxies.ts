/** Proxies, and the pools of domains. Passwords go in and never come out. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import {
  pairedProxy,
  poolHealth,
  poolSizing,
  proxy,
  proxyCheck,
  proxyImport,
  proxyProtocol,
} from './proxy-shapes.ts';
import {
  domainName,
  domainParams,
  flagInText,
  idParams,
  lineOfText,
  numberInText,
  rowId,
  rowIdInText,
  trimmedLine,
} from './values.ts';

export { IMPORT_RESULTS, PROXY_PROTOCOLS, type ProxyProtocol } from './proxy-shapes.ts';
export const EXPORT_FORMATS = ['lines', 'csv', 'json'] as const;
export const MOST_IMPORTED = 10_000;
export const MOST_ASSIGNED = 1000;

const admin = { group: 'proxies', allows: 'manage' } as const;
const MOST_INTEGER = 2_147_483_647;
const SNAKE = 'Fields may also be named in snake_case, such as `max_requests_per_hour`.';

const host = lineOfText(300).min(1).describe('A name or an address, without port, user name and password');
const port = z.int().min(1).max(65_535);
const username = lineOfText(255);
const password = z.string().max(512).describe('Kept encrypted; nobody is shown it again');
const countryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must be two letters such as DE')
  .describe('ISO 3166-1, such as DE');
const perHour = z.int().min(1).max(MOST_INTEGER);

/** What can be said about a proxy besides where it is. */
export const proxyDetails = {
  isShared: z.boolean().describe('False: only domains to which it is assigned use it'),
  countryCode: countryCode.nullable(),
  city: trimmedLine(100).nullable(),
  provider: trimmedLine(100).nullable(),
  monthlyCost: z.number().min(0).max(99_999_999).nullable(),
  maxRequestsPerHour: perHour.describe('In any 60 minutes, over all domains'),
};

/** The names that tables of proxies have elsewhere. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  proxyUrl: 'host',
  proxyPort: 'port',
  proxyProtocol: 'protocol',
  proxyUsername: 'username',
  proxyPassword: 'password',
};

function byOurNames(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const own = OTHER_NAMES[name];
      return [own === undefined || Object.hasOwn(body, own) ? name : own, value];
    }),
  );
}

const ALSO =
  '`proxy_url` (the host), `proxy_port`, `proxy_protocol`, `proxy_username` and `proxy_password` are understood too.';

const STATES = ['active', 'out', 'disabled'] as const;
export const PROXY_STATES = STATES;

export const proxyFilter = {
  state: z.enum(STATES).optional().describe('active; out for its failures; disabled by a person'),
  isActive: flagInText.optional(),
  isShared: flagInText.optional(),
  protocol: proxyProtocol.optional(),
  countryCode: countryCode.optional(),
  provider: trimmedLine(100).optional(),
  text: trimmedLine(100).optional().describe('Found in host, user name, provider or city'),
};

export const listProxies = endpoint({
  ...{ ...admin, name: 'listProxies', method: 'GET', path: '/api/admin/proxies' },
  summary: 'Proxies, the newest first',
  alsoSnakeCase: true,
  query: z.strictObject({ ...pageQuery, ...proxyFilter }),
  answer: pageOf(proxy),
  problems: ['bad-cursor'],
});

export const createProxy = endpoint({
  ...{ ...admin, name: 'createProxy', method: 'POST', path: '/api/admin/proxies' },
  summary: 'Add a proxy',
  description:
    'Where it is: `host` and `port`, or everything in `url` as `protocol://user:password@host:port`. Loopback, private ' +
    'and reserved addresses are refused unless FORAGER_PRIVATE_PROXIES or FORAGER_ALLOW_PRIVATE allows them. Domains ' +
    `that wait for a proxy and may use it are crawled again. ${SNAKE} ${ALSO}`,
  alsoSnakeCase: true,
  body: z.preprocess(
    byOurNames,
    z.strictObject({
      url: z
        .string()
        .max(2000)
        .optional()
        .describe('`protocol://user:password@host:port`, %-encoded where needed'),
      protocol: proxyProtocol.optional(),
      host: host.optional(),
      port: port.optional(),
      username: username.nullable().optional(),
      password: password.nullable().optional(),
      ...z.strictObject(proxyDetails).partial().shape,
      isActive: z.boolean().optional(),
    }),
  ),
  status: 201,
  answer: proxy,
  problems: ['bad-proxy', 'proxy-exists', 'bad-secret-key'],
});

export const getProxy = endpoint({
  ...{ ...admin, name: 'getProxy', method: 'GET', path: '/api/admin/proxies/:id' },
  summary: 'One proxy',
  params: idParams,
  answer: proxy,
  problems: ['unknown-proxy'],
});

const confirm = {
  confirm: flagInText.optional().describe('Also where a domain is crawled in another way then'),
};
const EMPTIED =
  'Where a domain would be left with an empty pool, and so would be crawled through the shared proxies or directly, ' +
  '`confirm=true` is needed.';
const UNSHARED =
  'Where it is the last shared proxy, and domains without a pool that have gone through shared ones would be crawled ' +
  'directly, `confirm=true` is needed as well.';

export const changeProxy = endpoint({
  ...{ ...admin, name: 'changeProxy', method: 'PATCH', path: '/api/admin/proxies/:id' },
  summary: 'Change a proxy',
  description:
    'What is left out stays as it is. `password` null removes the password, and so does `username` null. One that has a ' +
    'password keeps it only where it is: with another `protocol`, `host`, `port` or `username`, `password` must be given ' +
    `again, or be null. Workers use what was changed within seconds. ${UNSHARED} ${SNAKE} ${ALSO}`,
  alsoSnakeCase: true,
  params: idParams,
  query: z.strictObject(confirm),
  body: z.preprocess(
    byOurNames,
    z
      .strictObject({
        ...{ protocol: proxyProtocol, host, port, username: username.nullable() },
        ...{ password: password.nullable(), ...proxyDetails, isActive: z.boolean() },
      })
      .partial()
      .refine((body) => Object.keys(body).length > 0, 'must name something to change'),
  ),
  answer: proxy,
  problems: ['unknown-proxy', 'bad-proxy', 'proxy-exists', 'bad-secret-key', 'not-confirmed'],
});

export const deleteProxy = endpoint({
  ...{ ...admin, name: 'deleteProxy', method: 'DELETE', path: '/api/admin/proxies/:id' },
  summary: 'Remove a proxy with its statistics, also from all pools',
  description: `${EMPTIED} ${UNSHARED}`,
  params: idParams,
  query: z.strictObject(confirm),
  problems: ['unknown-proxy', 'not-confirmed'],
});

export const enableProxy = endpoint({
  ...{ ...admin, name: 'enableProxy', method: 'POST', path: '/api/admin/proxies/:id/enable' },
  summary: 'Switch a proxy on',
  description:
    'Also one that is out for its failures, which are forgotten. For domains where it is out as well it is tried ' +
    'again at once. Domains that wait for a proxy and may use it are crawled again.',
  params: idParams,
  answer: proxy,
  problems: ['unknown-proxy'],
});

export const disableProxy = endpoint({
  ...{ ...admin, name: 'disableProxy', method: 'POST', path: '/api/admin/proxies/:id/disable' },
  summary: 'Switch a proxy off',
  description: 'It stays off until somebody switches it on. Requests that are under way are finished.',
  params: idParams,
  answer: proxy,
  problems: ['unknown-proxy'],
});

export const checkProxy = endpoint({
  ...{ ...admin, name: 'checkProxy', method: 'POST', path: '/api/admin/proxies/:id/check' },
  summary: 'Reach out through a proxy',
  description:
    'Asks for FORAGER_PROXY_CHECK_URL, or for `url`, through the proxy, and tells what came of it. Its answer is the ' +
    'address it was asked from, as text or as JSON with `ip`, `origin` or `query`. A check neither switches a proxy ' +
    'on nor counts as a failure.',
  params: idParams,
  body: z.strictObject({ url: z.string().min(1).max(2048).optional() }),
  isBodyOptional: true,
  answer: proxyCheck,
  problems: ['unknown-proxy', 'bad-url', 'bad-secret-key'],
});

export const importProxies = endpoint({
  ...{ ...admin, name: 'importProxies', method: 'POST', path: '/api/admin/proxies/import' },
  summary: 'Add many proxies',
  description:
    'Lines `protocol://user:password@host:port`, or `host:port`, `host:port:user:password`; empty lines and those that ' +
    'begin with # are passed over. Good lines are taken, bad ones are told with their number. Lines are never repeated ' +
    `whole: they hold passwords. At most ${MOST_IMPORTED.toLocaleString('en-US')} lines; "forager proxy import" has no ` +
    `limit. ${SNAKE}`,
  alsoSnakeCase: true,
  bodyLimitBytes: 4 * 1024 * 1024,
  mostBodyValues: MOST_IMPORTED + 100,
  body: z
    .strictObject({
      text: z.string().max(4_000_000).optional().describe('All lines in one'),
      lines: z.array(z.string().max(4000)).max(MOST_IMPORTED).optional().describe('Or one by one'),
      onDuplicate: z
        .enum(['skip', 'update'])
        .default('skip')
        .describe(
          'update: one that is there already gets the password of the line, and what else is said here',
        ),
      ...z.strictObject(proxyDetails).partial().shape,
      domain: domainName.optional().describe('Assign all of them to this domain as well'),
      confirm: z.boolean().optional().describe('Also where the last shared proxy is shared no longer by it'),
    })
    .refine(({ text, lines }) => (text === undefined) !== (lines === undefined), 'must have text or lines'),
  answer: proxyImport,
  problems: [
    'bad-domain',
    'unknown-domain',
    'domain-going',
    'too-many-lines',
    'bad-secret-key',
    'not-confirmed',
  ],
});

export const exportProxies = endpoint({
  ...{ ...admin, name: 'exportProxies', method: 'GET', path: '/api/admin/proxies/export' },
  summary: 'All proxies, without their passwords',
  description:
    'As lines `protocol://user@host:port`, as CSV, or as lines of JSON (`format`). Sent as it is read.',
  alsoSnakeCase: true,
  query: z.strictObject({ format: z.enum(EXPORT_FORMATS).default('lines'), ...proxyFilter }),
  contentType: 'text/plain; charset=utf-8',
});

export const listProxyHealth = endpoint({
  ...{ ...admin, name: 'listProxyHealth', method: 'GET', path: '/api/admin/proxies/health' },
  summary: 'How the proxies of each domain do',
  description:
    'Domains that have a pool or have met shared proxies, in the order in which they became known.',
  query: z.strictObject(pageQuery),
  answer: pageOf(poolHealth),
  problems: ['bad-cursor'],
});

const pool = '/api/admin/domains/:domain/proxies';
const ofDomain = ['bad-domain', 'unknown-domain'] as const;
const pairParams = z.strictObject({ domain: domainName, id: rowIdInText });
const priority = z.int().min(1).max(10).describe('1 goes first');

export const listPool = endpoint({
  ...{ ...admin, name: 'listDomainProxies', method: 'GET', path: pool },
  summary: 'The proxies of a domain, and what it has seen of them',
  description: 'By priority.',
  alsoSnakeCase: true,
  params: domainParams,
  query: z.strictObject({
    ...pageQuery,
    isAssigned: flagInText.optional().describe('false: only shared ones that it has met'),
  }),
  answer: pageOf(pairedProxy),
  problems: ['bad-cursor', ...ofDomain],
});

export const assignProxies = endpoint({
  ...{ ...admin, name: 'assignProxies', method: 'POST', path: pool },
  summary: 'Assign proxies to a domain',
  description:
    'A domain with assigned proxies uses these and no others. All are assigned or none; of those that are assigned ' +
    `already what is given is changed. ${SNAKE}`,
  alsoSnakeCase: true,
  params: domainParams,
  body: z
    .strictObject({
      proxyId: rowId.optional(),
      proxyIds: z.array(rowId).min(1).max(MOST_ASSIGNED).optional(),
      priority: priority.optional().describe('1 goes first; left out: 5'),
      maxRequestsPerHour: perHour.nullable().optional(),
    })
    .refine(
      ({ proxyId, proxyIds }) => (proxyId === undefined) !== (proxyIds === undefined),
      'must have proxyIds or proxyId',
    ),
  answer: z.object({ domain: z.string(), assigned: z.int().nonnegative(), changed: z.int().nonnegative() }),
  problems: [...ofDomain, 'unknown-proxy', 'domain-going'],
});

export const changePair = endpoint({
  ...{ ...admin, name: 'changeDomainProxy', method: 'PATCH', path: `${pool}/:id` },
  summary: 'Change how a domain uses a proxy, or switch it off or on for that domain',
  description: `A shared proxy that the domain has met can be switched off for it, too. ${SNAKE}`,
  alsoSnakeCase: true,
  params: pairParams,
  body: z
    .strictObject({ priority, isActive: z.boolean(), maxRequestsPerHour: perHour.nullable() })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'must name something to change'),
  answer: pairedProxy,
  problems: [...ofDomain, 'unknown-pair', 'domain-going'],
});

export const unassignProxy = endpoint({
  ...{ ...admin, name: 'unassignProxy', method: 'DELETE', path: `${pool}/:id` },
  summary: 'Take a proxy out of the pool of a domain',
  description: `What was seen of it stays. ${EMPTIED}`,
  params: pairParams,
  query: z.strictObject(confirm),
  problems: [...ofDomain, 'unknown-pair', 'domain-going', 'not-confirmed'],
});

const resetAnswer = z.object({
  domain: z.string(),
  reset: z.int().nonnegative().describe('Pairs that had failures or were out for them'),
  stillOut: z
    .int()
    .nonnegative()
    .describe('Cannot be used all the same: switched off by somebody, or the proxy itself is out'),
});

export const resetPool = endpoint({
  ...{ ...admin, name: 'resetPool', method: 'POST', path: `${pool}/reset` },
  summary: 'Forget the failures of the proxies of a domain',
  description:
    'Those that are out for their failures are used again. What somebody switched off stays off. A proxy that is out ' +
    'for all domains is enabled by itself.',
  params: domainParams,
  answer: resetAnswer,
  problems: [...ofDomain, 'domain-going'],
});

export const resetPair = endpoint({
  ...{ ...admin, name: 'resetDomainProxy', method: 'POST', path: `${pool}/:id/reset` },
  summary: 'Forget the failures of one proxy of a domain',
  params: pairParams,
  answer: resetAnswer,
  problems: [...ofDomain, 'unknown-pair', 'domain-going'],
});

export const getSizing = endpoint({
  ...{ ...admin, name: 'getPoolSizing', method: 'GET', path: `${pool}/sizing` },
  summary: 'How many proxies a domain needs',
  description:
    'Requests an hour divided by what one proxy may do in an hour, rounded up, and 20 % more. What is not given is ' +
    'measured, or taken from the settings.',
  alsoSnakeCase: true,
  params: domainParams,
  query: z.strictObject({
    urlsPerHour: numberInText(1, 10_000_000).optional(),
    maxRequestsPerProxyPerHour: numberInText(1, MOST_INTEGER).optional(),
  }),
  answer: poolSizing,
  problems: ofDomain,
});

export const proxyEndpoints = [
  ...[listProxies, createProxy, getProxy, changeProxy, deleteProxy, enableProxy, disableProxy, checkProxy],
  ...[importProxies, exportProxies, listProxyHealth],
  ...[listPool, assignProxies, changePair, unassignProxy, resetPool, resetPair, getSizing],
];
