/** What to do with an answer, decided when its headers are there and before a byte of its body is read. */

import { type Encoding, parseContentEncoding } from './content-encoding.ts';
import { isPageType, mediaType } from './content-type.ts';
import { type FetchFailure, fail } from './fetch-failure.ts';
import { type FetchRequest, headerValue, headerValues, type RawHeaders } from './fetch-result.ts';
import { resolveLocation } from './redirect-location.ts';

export type Ending =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'not-modified' }
  | { readonly kind: 'unwanted-type'; readonly contentType: string }
  | { readonly kind: 'failure'; readonly failure: FetchFailure };

export type ResponsePlan =
  /** The ending is known. A short body is drained all the same: that keeps the connection for the next page. */
  | { readonly kind: 'end'; readonly ending: Ending; readonly mayDrain: boolean }
  | {
      readonly kind: 'read';
      readonly encodings: readonly Encoding[];
      readonly maxBytes: number;
      readonly keepsTruncated: boolean;
      /** The status is what matters: whatever goes wrong with the body, the exchange ends as a response. */
      readonly isStatusEnough: boolean;
      readonly mustSniff: boolean;
    };

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
export const ERROR_BODY_MAX_BYTES = 65_536;
export const DRAIN_MAX_BYTES = 65_536;

export function planResponse(
  request: FetchRequest,
  url: URL,
  status: number,
  headers: RawHeaders,
): ResponsePlan {
  if (status === 304) return { kind: 'end', ending: { kind: 'not-modified' }, mayDrain: true };
  if (REDIRECT_STATUSES.has(status)) {
    const location = headerValues(headers, 'location')[0]?.trim();
    if (location) return { kind: 'end', ending: planRedirect(location, url), mayDrain: true };
  }
  const isStatusEnough = status < 200 || status > 299;
  const encodingList = parseContentEncoding(headerValue(headers, 'content-encoding'));
  if (isStatusEnough) {
    return {
      kind: 'read',
      encodings: encodingList.kind === 'known' ? encodingList.encodings : [],
      maxBytes: Math.min(ERROR_BODY_MAX_BYTES, request.maxBodyBytes),
      keepsTruncated: true,
      isStatusEnough,
      mustSniff: false,
    };
  }

  const lengthBytes = contentLength(headers);
  const isBodiless = status === 204 || status === 205 || lengthBytes === 0;
  const contentType = headerValue(headers, 'content-type');
  const type = mediaType(contentType);
  if (request.accept === 'page' && !isBodiless && type !== undefined && !isPageType(type)) {
    const mayDrain = lengthBytes !== undefined && lengthBytes <= DRAIN_MAX_BYTES;
    return { kind: 'end', ending: { kind: 'unwanted-type', contentType: contentType ?? '' }, mayDrain };
  }
  if (encodingList.kind === 'unknown') return endAsFailure(fail('bad-encoding', encodingList.message));
  if (request.onOversize === 'fail' && lengthBytes !== undefined && lengthBytes > request.maxBodyBytes) {
    return endAsFailure(describeTooLarge(url.host, request.maxBodyBytes));
  }
  return {
    kind: 'read',
    encodings: encodingList.encodings,
    maxBytes: request.maxBodyBytes,
    keepsTruncated: request.onOversize === 'truncate',
    isStatusEnough,
    mustSniff: request.accept === 'page' && !isBodiless && type === undefined,
  };
}

export function describeTooLarge(host: string, maxBytes: number): FetchFailure {
  return fail('too-large', `The answer of ${host} is larger than ${maxBytes} bytes.`);
}

export function contentLength(headers: RawHeaders): number | undefined {
  const text = headerValues(headers, 'content-length')[0]?.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function planRedirect(location: string, url: URL): Ending {
  const resolved = resolveLocation(location, url);
  if (resolved !== undefined) return { kind: 'redirect', location: resolved };
  const message = `${url.host} redirects to "${location.slice(0, 200)}", which is not a URL.`;
  return { kind: 'failure', failure: fail('protocol-error', message) };
}

function endAsFailure(failure: FetchFailure): ResponsePlan {
  return { kind: 'end', ending: { kind: 'failure', failure }, mayDrain: false };
}
