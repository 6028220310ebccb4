/** A proxy as the fetcher needs it. */
export interface ProxyEndpoint {
  readonly id: number;
  readonly protocol: 'http' | 'https' | 'socks5';
  /** A name or an address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Changes with anything above: connections that were made under another one are not used any more. */
  readonly key: string;
}
