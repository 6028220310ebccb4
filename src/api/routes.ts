/** Every door of the server, in the order of the documentation. */
import type { Route } from './route.ts';
import { accountsRoutes } from './routes/accounts.ts';
import { authRoutes } from './routes/auth.ts';
import { batchesRoutes } from './routes/batches.ts';
import { botAdminRoutes } from './routes/bot-admin.ts';
import { botsRoutes } from './routes/bots.ts';
import { deadLettersRoutes } from './routes/dead-letters.ts';
import { docsRoutes } from './routes/docs.ts';
import { domainsRoutes } from './routes/domains.ts';
import { errorsRoutes } from './routes/errors.ts';
import { frontierRoutes } from './routes/frontier.ts';
import { imagesRoutes } from './routes/images.ts';
import { jobsRoutes } from './routes/jobs.ts';
import { liveRoutes } from './routes/live.ts';
import { monitoringRoutes } from './routes/monitoring.ts';
import { pagesRoutes } from './routes/pages.ts';
import { parsersRoutes } from './routes/parsers.ts';
import { policiesRoutes } from './routes/policies.ts';
import { productsRoutes } from './routes/products.ts';
import { proxiesRoutes } from './routes/proxies.ts';
import { resultsRoutes } from './routes/results.ts';
import { schedulersRoutes } from './routes/schedulers.ts';
import { searchRoutes } from './routes/search.ts';
import { tasksRoutes } from './routes/tasks.ts';
import { webhooksRoutes } from './routes/webhooks.ts';
import type { ServerParts } from './server-parts.ts';

export function makeRoutes(parts: ServerParts): Route[] {
  const routes = [
    ...monitoringRoutes(parts),
    ...schedulersRoutes(parts),
    ...liveRoutes(parts),
    ...authRoutes(parts),
    ...frontierRoutes(parts),
    ...imagesRoutes(parts),
    ...searchRoutes(parts),
    ...pagesRoutes(parts),
    ...domainsRoutes(parts),
    ...errorsRoutes(parts),
    ...deadLettersRoutes(parts),
    ...webhooksRoutes(parts),
    ...tasksRoutes(parts),
    ...resultsRoutes(parts),
    ...batchesRoutes(parts),
    ...policiesRoutes(parts),
    ...botsRoutes(parts),
    ...botAdminRoutes(parts),
    ...productsRoutes(parts),
    ...parsersRoutes(parts),
    ...proxiesRoutes(parts),
    ...jobsRoutes(parts),
    ...accountsRoutes(parts),
  ];
  return [...routes, ...docsRoutes(routes)];
}
