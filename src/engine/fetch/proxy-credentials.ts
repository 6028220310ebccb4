import type { ProxyEndpoint } from './proxy-endpoint.ts';

/** RFC 7617. Sent unasked: waiting for a 407 first would cost every connection a second round. */
export function basicCredentials({ username, password }: ProxyEndpoint): string | undefined {
  if (username === undefined || username === '') return undefined;
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`, 'utf8').toString('base64')}`;
}
