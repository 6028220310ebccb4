/** What one sender may ask for, besides what the settings say about requests in a minute. */
import type { AtOnce } from './limit-at-once.ts';

export interface AccessLimits {
  /** Attempts to log in from one network, whatever becomes of them. */
  readonly loginsPerMinute: number;
  /** Keys and sessions from one network that are wrong. */
  readonly badCredentialsPerMinute: number;
  /** Requests that pages of other sites make the browsers of one network send; all are refused. */
  readonly crossSitePerMinute: number;
  /** Requests of one account that are worked on at the same time; streams have a limit of their own. */
  readonly atOnce: AtOnce;
}

export const ACCESS_LIMITS: AccessLimits = {
  loginsPerMinute: 10,
  badCredentialsPerMinute: 30,
  crossSitePerMinute: 30,
  atOnce: { anonymous: 6, user: 6, bot: 6, admin: 12 },
};
