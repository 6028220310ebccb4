/** What one sender may ask for, besides what the settings say about requests in a minute. */
import type { AtOnce, Waiting } from './limit-at-once.ts';

export interface AccessLimits {
  /** Attempts to log in from one network, whatever becomes of them. */
  readonly loginsPerMinute: number;
  /** Different keys and sessions from one network that are wrong. */
  readonly badCredentialsPerMinute: number;
  /** Requests that pages of other sites make the browsers of one network send; all are refused. */
  readonly crossSitePerMinute: number;
  /** Requests of one account that are worked on at the same time; streams have a limit of their own. */
  readonly atOnce: AtOnce;
  readonly waitingAtOnce: Waiting;
}

export const ACCESS_LIMITS: AccessLimits = {
  loginsPerMinute: 10,
  badCredentialsPerMinute: 300,
  crossSitePerMinute: 30,
  atOnce: { anonymous: 6, user: 6, bot: 6, admin: 12 },
  waitingAtOnce: { most: 50, ms: 5000 },
};
