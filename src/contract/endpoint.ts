/** One door of the server: where it is, who may use it, what goes in and what comes out. */
import type { z } from 'zod';
import type { Scope } from './access.ts';
import type { OwnHeader } from './answer-headers.ts';
import type { ProblemCode } from './problems.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export const GROUPS = {
  monitoring: 'How the crawl goes: health, figures, alerts, live events',
  auth: 'Logging in and out, one’s own password, sessions and keys',
  frontier: 'URLs that are known and not read yet',
  pages: 'What was read',
  domains: 'The sites: state, settings, robots.txt',
  tasks: 'Explicit orders: pages to be fetched at a time of somebody’s choosing, alone or in batches',
  policies: 'Standing orders: pages that are fetched again and again',
  bots: 'Work that foreign programs pull, and what they hand in',
  products: 'What is sold where, and how its price has changed',
  images: 'What pages and products show',
  parsers: 'What reads products off pages, and how well it does',
  proxies: 'The ways out: proxies, and which domains use which',
  errors: 'What went wrong, and work that was given up',
  webhooks: 'Who is told of what happens',
  jobs: 'Long work that was asked for, and how far it is',
  accounts: 'Users, keys and the audit log',
  docs: 'This description, for people and for programs',
} as const;
export type Group = keyof typeof GROUPS;

/**
 * How its requests are counted. Probes are not: a load balancer that is refused would take the server down. Logins are
 * counted by themselves: whatever else comes from an address must not keep its people from logging in. At the doors of
 * both nobody is asked who they are.
 */
export type Tier = 'role' | 'seed' | 'login' | 'probe';

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** What generated clients call it. */
  readonly name: string;
  readonly method: Method;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly group: Group;
  readonly summary: string;
  readonly description?: string;
  readonly allows: Scope;
  readonly tier?: Tier;
  /** Answered from what is kept for everybody: any number may ask at once, it takes nothing from others. */
  readonly isShared?: boolean;
  /** It may wait for something, and decides itself how many are worked on at once. */
  readonly keepsOwnPlaces?: boolean;
  /** What is refused says `success: false` as well, and names the error in the words of bots. */
  readonly tellsSuccess?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body may be left out. */
  readonly isBodyOptional?: boolean;
  readonly bodyLimitBytes?: number;
  /** How many values the body may have, when it is more than usual. */
  readonly mostBodyValues?: number;
  /**
   * The list of the body whose items are judged one by one, by whoever handles the request: at the door it is only
   * counted. An item may be anything then, also what could not be read (see FaultyItem).
   */
  readonly itemsApart?: string;
  /** Fields of the body that may hold any text and any data: whoever handles the request makes them fit to be kept. */
  readonly cleansItself?: readonly string[];
  /** Fields of query and body may also be named in snake_case: `reset_retry_count` is `resetRetryCount`. */
  readonly alsoSnakeCase?: boolean;
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Left out: nothing is answered (204), or something that is not JSON. */
  readonly answer?: Answer;
  /** For what is not JSON. */
  readonly contentType?: string;
  /** What it sends besides the usual: what was made or accepted (201, 202) has a Location anyway. */
  readonly headers?: readonly OwnHeader[];
  /** Of its own, besides those any route may give. */
  readonly problems?: readonly ProblemCode[];
  /** Takes an Idempotency-Key. */
  readonly isIdempotent?: boolean;
}

/** Keeps the types of the schemas for whoever handles or calls it. */
export function endpoint<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(definition: Endpoint<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return definition;
}

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _A> ? z.output<P> : never;
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _A> ? z.output<Q> : never;
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _A> ? z.output<B> : never;
export type AnswerOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer A> ? z.output<A> : never;
