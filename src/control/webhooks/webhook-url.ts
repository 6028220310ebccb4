/**
 * Where messages may be sent. What shows in the URL itself is refused here, with a reason; what a name means is found
 * out when the connection is made, and refused there.
 */
import { findHostProblem, findPrivateHost, findTextProblem } from '../../engine/frontier/seed-problems.ts';
import { ForagerError } from '../../platform/errors.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';

/** The URL as it will be used. */
export function readWebhookUrl(text: string, allowPrivate: boolean): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const reason =
    findTextProblem(trimmed, false) ??
    (/^https?:\/\//i.test(trimmed) ? undefined : 'it must begin with https:// or http://') ??
    (url === undefined ? 'it cannot be read' : findUrlProblem(url, trimmed, allowPrivate));
  if (url !== undefined && reason === undefined) return url.href;
  throw new ForagerError(
    'bad-webhook-url',
    `Messages cannot be sent to ${JSON.stringify(hideUserinfo(trimmed).slice(0, 200))}: ${reason}.`,
    { hint: 'give an address such as https://example.com/hooks/forager' },
  );
}

function findUrlProblem(url: URL, written: string, allowPrivate: boolean): string | undefined {
  if (url.hash !== '') return 'what stands behind # is never sent: leave it out';
  return findHostProblem(url, written) ?? (allowPrivate ? undefined : findPrivateReceiver(url.href));
}

/** What is said of pages that nobody may crawl, said of receivers. */
function findPrivateReceiver(url: string): string | undefined {
  const words = 'which messages go to only where FORAGER_ALLOW_PRIVATE allows it';
  return findPrivateHost(url)?.replace(/crawled only where .*$/, words);
}
