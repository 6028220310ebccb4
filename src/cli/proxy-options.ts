/** What is said about proxies on the command line, as control wants it. */
import { z } from 'zod';
import { type ProxyProtocol, proxyDetails, proxyFilter } from '../contract/proxies.ts';
import type { ProxyDetails, ProxyRules } from '../control/proxies/create-proxy.ts';
import type { ProxyFilter } from '../control/proxies/proxy.ts';
import { openBox } from '../control/secrets/open-box.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { UsageError } from './exit.ts';
import { parseOptions } from './explain-option.ts';

export interface DetailOptions {
  readonly shared?: true;
  readonly notShared?: true;
  readonly country?: string;
  readonly city?: string;
  readonly provider?: string;
  readonly monthlyCost?: string;
  readonly maxPerHour?: number;
}

const NONE = 'none';
const OPTION_OF = {
  countryCode: { name: '--country' },
  city: { name: '--city' },
  provider: { name: '--provider' },
  monthlyCost: { name: '--monthly-cost' },
  maxRequestsPerHour: { name: '--max-per-hour' },
  text: { name: '--text' },
};

/** The same rules as over HTTP. */
const details = z.strictObject(proxyDetails).partial();

export function readDetails(options: DetailOptions): ProxyDetails {
  if (options.shared && options.notShared)
    throw new UsageError('--shared and --not-shared exclude each other.');
  const { country, city, provider, monthlyCost, maxPerHour } = options;
  const given = {
    isShared: options.notShared ? false : options.shared,
    countryCode: orNone(country),
    city: orNone(city),
    provider: orNone(provider),
    monthlyCost: monthlyCost === undefined ? undefined : monthlyCost === NONE ? null : Number(monthlyCost),
    maxRequestsPerHour: maxPerHour,
  };
  return parseOptions(details, withoutMissing(given), OPTION_OF);
}

function orNone(text: string | undefined): string | null | undefined {
  return text === NONE ? null : text;
}

function withoutMissing(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export interface FilterOptions extends Pick<DetailOptions, 'shared' | 'notShared' | 'country' | 'provider'> {
  readonly state?: 'active' | 'out' | 'disabled';
  readonly protocol?: ProxyProtocol;
  readonly text?: string;
}

export function readFilter(options: FilterOptions): ProxyFilter {
  const { state, protocol, country, provider, text } = options;
  if (options.shared && options.notShared)
    throw new UsageError('--shared and --not-shared exclude each other.');
  const { countryCode, provider: providerName, text: anything } = proxyFilter;
  const shape = z.strictObject({ countryCode, provider: providerName, text: anything });
  const read = parseOptions(shape, withoutMissing({ countryCode: country, provider, text }), OPTION_OF);
  const isShared = options.shared ? true : options.notShared ? false : undefined;
  return { ...read, state, protocol, isShared };
}

export async function proxyRules(db: Database, config: Config): Promise<ProxyRules> {
  return { box: await openBox(db, config), allowPrivate: config.allowPrivate || config.privateProxies };
}
