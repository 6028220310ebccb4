/** What an answer, or the lack of one, says about the proxy it came through. */
import { type FetchResult, headerValue } from '../fetch/fetch-result.ts';

/**
 * works      an answer of the target's: pair and proxy are fine
 * refused    the target turned this visitor away: counts against the pair
 * broken     the proxy itself failed: counts against pair and proxy
 * doubtful   the proxy or the target, nobody can tell; what others get from the same URL decides
 * unaccepted it is said that the proxy refuses our login, but over plain http the target can say so too, and the proxy
 *            has worked before: it counts against the pair, and against the proxy only if others get through
 * silent     nobody was asked, or it says nothing
 */
export type ExitVerdict = 'works' | 'refused' | 'broken' | 'doubtful' | 'unaccepted' | 'silent';

export interface ExitCircumstances {
  /** The proxy forwards the request and speaks in the target's place (http through an HTTP proxy). */
  readonly isForwarded: boolean;
  /** Something has come through the proxy before, for anybody. */
  readonly hasWorked: boolean;
}

export function judgeExit(result: FetchResult, { isForwarded, hasWorked }: ExitCircumstances): ExitVerdict {
  if (result.kind === 'failure') {
    const isSaidOnly = result.reason === 'proxy-auth' && isForwarded && hasWorked;
    return isSaidOnly ? 'unaccepted' : VERDICTS[result.reason];
  }
  if (result.status === 403 || result.status === 429) return 'refused';
  if (isForwarded && isGatewayError(result)) return 'doubtful';
  return result.kind === 'response' && isBlockPage(result) ? 'refused' : 'works';
}

/** Whoever forwards says these when it cannot reach the target, and so does the target's own front. */
function isGatewayError(result: Exclude<FetchResult, { kind: 'failure' }>): boolean {
  if (result.status === 503) return headerValue(result.headers, 'retry-after') === undefined;
  return result.status === 402 || result.status === 502 || result.status === 504;
}

const VERDICTS: Readonly<Record<Extract<FetchResult, { kind: 'failure' }>['reason'], ExitVerdict>> = {
  'bad-url': 'silent',
  'bad-port': 'silent',
  'private-address': 'silent',
  'dns-not-found': 'silent',
  'dns-failed': 'silent',
  'connect-refused': 'silent',
  'connect-failed': 'silent',
  'connect-timeout': 'doubtful',
  'tls-failed': 'doubtful',
  'headers-timeout': 'doubtful',
  'body-timeout': 'doubtful',
  dropped: 'doubtful',
  'protocol-error': 'works',
  'bad-length': 'works',
  'bad-encoding': 'works',
  'too-large': 'works',
  'proxy-unreachable': 'broken',
  'proxy-auth': 'broken',
  'proxy-tunnel': 'doubtful',
  'proxy-protocol': 'broken',
  'no-exit': 'silent',
  'no-socket': 'silent',
  aborted: 'silent',
};

/** Pages that say "not you" are short, and say so at once. */
const LONGEST_BLOCK_PAGE = 65_536;
const LOOKED_AT = 4096;

/** In the title, since a page may well write about any of these. */
const BLOCKED_TITLE =
  /<title[^>]*>\s*(?:access denied|attention required! \| cloudflare|just a moment\.\.\.|are you (?:a )?(?:human|robot)\??|robot (?:or human\??|check)|please verify you are (?:a )?human|captcha|security check|pardon our interruption|request (?:blocked|unsuccessful)|you have been blocked|unusual traffic[^<]*)\s*<\/title>/i;

/** A page that is no page, but a wall against programs. */
function isBlockPage(result: Extract<FetchResult, { kind: 'response' }>): boolean {
  if (headerValue(result.headers, 'cf-mitigated') === 'challenge') return true;
  if (result.body.length > LONGEST_BLOCK_PAGE || result.body.length === 0) return false;
  return BLOCKED_TITLE.test(result.body.subarray(0, LOOKED_AT).toString('latin1'));
}
