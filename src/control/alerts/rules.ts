/** Every rule there is. */
import { diskLow } from './disk-low.ts';
import { frontierBacklog } from './frontier-backlog.ts';
import { highErrorRate } from './high-error-rate.ts';
import { noScheduler } from './no-scheduler.ts';
import { noWorkers } from './no-workers.ts';
import { parseRateLow } from './parse-rate-low.ts';
import { proxiesLow } from './proxies-low.ts';
import { proxyFailures } from './proxy-failures.ts';
import type { AlertRule } from './rule.ts';
import { searchBehind } from './search-behind.ts';
import { webhookDisabled } from './webhook-disabled.ts';
import { workerSilent } from './worker-silent.ts';

export const ALERT_RULES: readonly AlertRule[] = [
  highErrorRate,
  frontierBacklog,
  workerSilent,
  noWorkers,
  noScheduler,
  diskLow,
  webhookDisabled,
  searchBehind,
  proxiesLow,
  proxyFailures,
  parseRateLow,
];
