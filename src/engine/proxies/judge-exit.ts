/** What an answer, or the lack of one, says about the proxy it came through. */
import { type FetchResult, headerValue } from '../fetch/fetch-result.ts';

/**
 * works    an answer of the target's: pair and proxy are fine
 * refused  the target turned this visitor away: counts against the pair
 * broken   the proxy itself failed: counts against pair and proxy
 * doubtful the proxy or the target, nobody can tell; what others get from the same URL decides
 * silent   nobody was asked, or it says nothing
 */
export type ExitVerdict = 'works' | 'refused' | 'broken' | 'doubtful' | 'silent';

export function judgeExit(result: FetchResult): ExitVerdict {
  if (result.kind === 'failure') return VERDICTS[result.reason];
  if (result.status === 403 || result.status === 429) return 'refused';
  return result.kind === 'response' && isBlockPage(result) ? 'refused' : 'works';
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
