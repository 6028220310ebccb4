import { isIPv4 } from 'node:net';
import { errors } from 'undici';
import type { FetchFailureReason } from './fetch-result.ts';

/** Why an exchange failed, in the words of FetchResult. */
export interface FetchFailure {
  readonly reason: FetchFailureReason;
  readonly message: string;
}

export function fail(reason: FetchFailureReason, message: string): FetchFailure {
  return { reason, message };
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/**
 * Whether a socket could not be had because this machine is short of something: files, memory, ports. For IPv6
 * EADDRNOTAVAIL says that the machine has no such address at all, which does not pass.
 */
export function isShortage(code: string, address?: string): boolean {
  return SHORTAGES.has(code) || (code === 'EADDRNOTAVAIL' && address !== undefined && isIPv4(address));
}

export function describeShortage(code: string): FetchFailure {
  return fail('no-socket', `This machine has no socket to spare (${code}).`);
}

/** What an exchange was waiting for. */
export type ExchangeStage = 'resolve' | 'connect' | 'headers' | 'body';

export function describeTimeout(stage: ExchangeStage, host: string, timeoutMs: number): FetchFailure {
  switch (stage) {
    case 'resolve':
      return fail('dns-failed', `The name of ${host} was not resolved within ${timeoutMs} ms.`);
    case 'connect':
      return fail('connect-timeout', `There was no connection to ${host} within ${timeoutMs} ms.`);
    case 'headers':
      return fail('headers-timeout', `${host} did not answer within ${timeoutMs} ms.`);
    case 'body':
      return fail('body-timeout', `The body from ${host} was not complete after ${timeoutMs} ms.`);
  }
}

export function describeProxyTimeout(proxy: string, timeoutMs: number): FetchFailure {
  return fail('proxy-unreachable', `The proxy ${proxy} opened no way within ${timeoutMs} ms.`);
}

/** What was known of the answer when the connection broke. */
export interface BrokenAnswer {
  readonly host: string;
  readonly contentLength: number | undefined;
  readonly receivedBytes: number;
  readonly hasHeaders: boolean;
}

/** Names the reason of an error that undici or the socket raised after the request was sent. */
export function classifyBrokenAnswer(error: unknown, answer: BrokenAnswer): FetchFailure {
  const code = errorCode(error);
  const detail = error instanceof Error ? error.message : String(error);
  const { host, contentLength, receivedBytes } = answer;
  if (error instanceof errors.HTTPParserError)
    return fail('protocol-error', `${host} breaks HTTP: ${detail}.`);
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !answer.hasHeaders) {
    return fail('protocol-error', `${host} breaks HTTP: its headers contradict each other.`);
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return fail('bad-length', describeShortBody(host, contentLength, receivedBytes));
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return fail('protocol-error', `${host} sent more headers than are accepted.`);
  }
  if (code === 'UND_ERR_INVALID_ARG') return fail('bad-url', `The request cannot be written: ${detail}.`);
  if (code === 'UND_ERR_SOCKET' && detail.startsWith('bad ')) {
    return fail('protocol-error', `${host} sent an answer that fits no request (${detail}).`);
  }
  // A clean close before the promised length is the server's arithmetic; a reset is the network's doing.
  if (code === 'UND_ERR_SOCKET' && answer.hasHeaders && contentLength !== undefined) {
    return fail('bad-length', describeShortBody(host, contentLength, receivedBytes));
  }
  const where = answer.hasHeaders ? `after ${receivedBytes} bytes of the body` : 'before answering';
  return fail('dropped', `${host} closed the connection ${where} (${code || detail}).`);
}

function describeShortBody(host: string, contentLength: number | undefined, receivedBytes: number): string {
  return `${host} promised ${contentLength ?? 'other than'} bytes and sent ${receivedBytes}.`;
}
