/**
 * What is wrong with a seed, in words that say what to write instead. Links of pages go through none of this: a
 * browser forgives a lot, and so do we. A person who names a site is better told than guessed at.
 */
import { isIPv4 } from 'node:net';
import { parse } from 'tldts';
import { isPublicAddress } from '../fetch/address-guard.ts';
import { isWebPort } from '../fetch/web-port.ts';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Of the text as it was written, before the URL parser smooths it over. */
export function findTextProblem(text: string, isBare: boolean): string | undefined {
  if (text === '') return 'it is empty';
  // The parser would leave out tabs and line breaks without a word, and read on.
  if (CONTROL.test(text)) return 'it contains control characters';
  if (/\s/.test(text)) return 'it contains a space (in a URL that has one it is written %20)';
  if (text.includes('\ufffd')) return 'it contains characters that could not be read as UTF-8';
  if (isBare && /^[^/?#\\:]*@/.test(text)) return 'it looks like an email address';
  // Without a scheme a user name is taken for one.
  if (/^(?!mailto:)(?:[a-z]+:[/\\]+)?[^/?#\\]*@/i.test(text)) {
    return 'it holds a user name or password, which is never sent: leave it out';
  }
  if (isBare && /^(?![/\\]{2}[^/\\])[/\\?#]/.test(text)) return 'it names no host';
  return undefined;
}

/** RFC 1035 §2.3.4. */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Of the host as the URL parser understood it: lower case, punycode, addresses in their usual form. */
export function findHostProblem({ hostname, port }: URL, written: string): string | undefined {
  if (port === '0') return 'port 0 is not a port that can be connected to';
  if (!isWebPort(port)) return `port ${port} is not for the web: browsers refuse it too`;
  if (hostname.startsWith('[')) return undefined;
  if (isIPv4(hostname)) return findAddressProblem(hostname, written);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name === '') return 'it names no host';
  if (name.length > MAX_NAME_LENGTH) {
    return `its host name is ${name.length} characters long, and the DNS ends at ${MAX_NAME_LENGTH}`;
  }
  const strange = /[^a-z0-9._-]/.exec(name)?.[0];
  if (strange !== undefined) return `its host name contains "${strange}", which no name has`;
  for (const label of name.split('.')) {
    if (label === '') return 'its host name has an empty part between two dots';
    if (label.length > MAX_LABEL_LENGTH) {
      return `a part of its host name is ${label.length} characters long, and the DNS ends at ${MAX_LABEL_LENGTH}`;
    }
  }
  return findSuffixProblem(name);
}

/** `12345` and `1.2` are addresses to the URL parser; in a list of sites they are most likely something else. */
function findAddressProblem(address: string, written: string): string | undefined {
  const host = written.replace(/^[a-z]+:/i, '').replace(/^[/\\]+/, '');
  if (host.startsWith(address)) return undefined;
  return `it would be read as the address ${address}: write that, if it is what you mean`;
}

/** Of suffixes, those run by registries; one run by a company (github.io) has a site of its own as well. */
function findSuffixProblem(name: string): string | undefined {
  const { publicSuffix, isIcann } = parse(name, SUFFIX_OPTIONS);
  if (isIcann !== true || publicSuffix !== name) return undefined;
  return `"${name}" is a public suffix, under which sites are registered, and no site itself`;
}

const SUFFIX_OPTIONS = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
} as const;

const WHO_ALLOWS = 'crawled only where FORAGER_ALLOW_PRIVATE or --allow-private allows it';

/**
 * Why this seed would be refused when it is fetched, if private addresses are not allowed. Names are resolved
 * then and not now, so only what shows in the seed itself is told.
 */
export function findPrivateHost(url: string): string | undefined {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const isAddress = hostname.startsWith('[') || isIPv4(host);
  if (isAddress && !isPublicAddress(host)) {
    return `${host} is a loopback, private or reserved address, ${WHO_ALLOWS}`;
  }
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return `${host} is this machine, ${WHO_ALLOWS}`;
  }
  // A name without a dot means something on the own network only.
  if (!isAddress && !host.includes('.')) return `"${host}" is no public name: it has no dot`;
  return undefined;
}
