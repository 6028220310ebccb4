/** An endpoint of the contract and what is done when somebody comes through it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts';
import type { Principal } from '../control/access/principal.ts';

export interface Call<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly principal: Principal;
  /** Of the client, as far as the proxies in between can be trusted. */
  readonly address: string;
  readonly requestId: string;
  /** For what is neither in the query nor in the body: cookies, streams. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What is answered: the body. A handler that has sent its answer itself (a stream) returns the reply. */
export type Handler<E> = (call: Call<E>) => Promise<Jsonable<AnswerOf<E>> | FastifyReply>;

/** A row as it comes from the database: times are Date objects where the contract has text. */
export type Jsonable<T> = T extends string
  ? T | Date
  : T extends readonly (infer I)[]
    ? readonly Jsonable<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Jsonable<T[K]> }
      : T;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handle: Handler<Endpoint>;
}

export function route<E extends Endpoint>(endpoint: E, handle: Handler<E>): Route {
  return { endpoint, handle: handle as unknown as Handler<Endpoint> };
}
