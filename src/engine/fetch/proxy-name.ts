import type { ProxyEndpoint } from './proxy-endpoint.ts';

/** How messages name a proxy: without its user name and password. */
export function proxyName({ protocol, host, port }: ProxyEndpoint): string {
  return `${protocol}://${hostAndPort(host, port)}`;
}

/** As in a URL and in a CONNECT request. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
