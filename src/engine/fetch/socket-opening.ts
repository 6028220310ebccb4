/** What the steps from an origin to a connected socket have in common. */
import type { Socket } from 'node:net';
import { type FetchFailure, fail } from './fetch-failure.ts';
import type { Resolver } from './resolver.ts';

export interface Target {
  readonly protocol: 'http:' | 'https:';
  /** As in the URL, IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** Whether this very address may be connected to for this very target, public or not. */
export type ReachException = (target: Target, address: string) => boolean;

export interface SocketOpener {
  readonly resolver: Resolver;
  readonly allowPrivate: boolean;
  /** Lets proxies, and nothing else, be on private addresses. */
  readonly allowPrivateProxies?: boolean | undefined;
  /** Exceptions, where private addresses are not allowed. */
  readonly mayReach?: ReachException | undefined;
  readonly connectTimeoutMs: number;
  /** Certificate authorities to trust besides Node's own, PEM. */
  readonly ca?: string | undefined;
}

export interface ConnectedSocket {
  readonly kind: 'open';
  readonly socket: Socket;
  readonly address: string;
}

export interface OpenFailed {
  readonly kind: 'failed';
  readonly failure: FetchFailure;
}

export type OpenedSocket = ConnectedSocket | OpenFailed;

/** Set by the caller's deadline; `onCancel` is whatever must be undone at that moment. */
export interface OpenAttempt {
  isCancelled: boolean;
  isResolving: boolean;
  /** Whatever goes wrong now is between us and the proxy. */
  isAtProxy?: boolean;
  /** The proxy was spoken to, or tried to. */
  hasMetProxy?: boolean;
  onCancel: () => void;
}

export function failed(reason: FetchFailure['reason'], message: string): OpenFailed {
  return { kind: 'failed', failure: fail(reason, message) };
}

export function calledOff(): OpenFailed {
  return failed('aborted', 'The exchange ended before a connection was made.');
}

export function ignore(): void {}
