/**
 * From an origin to a connected socket: look the name up, vet every address, connect to the first that
 * answers. The guard sits here, on the very address connected to, because anything earlier (a check of the
 * URL or of another look-up) can be outwitted by a name that changes its answer.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { selectAddresses } from './address-guard.ts';
import { describeShortage, errorCode, type FetchFailure, fail, isShortage } from './fetch-failure.ts';
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
  /** Exceptions, where private addresses are not allowed. */
  readonly mayReach?: ReachException | undefined;
  readonly connectTimeoutMs: number;
  /** Certificate authorities to trust besides Node's own, PEM. */
  readonly ca?: string | undefined;
}

export type OpenedSocket =
  | { readonly kind: 'open'; readonly socket: Socket; readonly address: string }
  | { readonly kind: 'failed'; readonly failure: FetchFailure };

/** Set by the caller's deadline; `onCancel` is whatever must be undone at that moment. */
export interface OpenAttempt {
  isCancelled: boolean;
  isResolving: boolean;
  onCancel: () => void;
}

const MAX_ADDRESSES = 6;
/** RFC 8305 §5: how long one address may keep the next from being tried. */
const NEXT_ADDRESS_MS = 250;

export async function openSocket(
  target: Target,
  opener: SocketOpener,
  attempt: OpenAttempt,
  session?: Buffer,
): Promise<OpenedSocket> {
  const vetted = await findAddresses(target, opener, attempt);
  if (vetted.kind === 'failed') return vetted;
  if (attempt.isCancelled) return failed('aborted', 'The exchange ended before a connection was made.');

  const connected = await connectFirst(vetted.addresses, target, opener.connectTimeoutMs, attempt);
  if (connected.kind === 'failed' || target.protocol === 'http:') return connected;
  return await startTls(connected, target, opener, attempt, session);
}

type VettedAddresses =
  | { readonly kind: 'vetted'; readonly addresses: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: FetchFailure };

async function findAddresses(
  target: Target,
  opener: SocketOpener,
  attempt: OpenAttempt,
): Promise<VettedAddresses> {
  const { hostname } = target;
  let addresses: readonly string[] = [hostname];
  if (isIP(hostname) === 0) {
    attempt.isResolving = true;
    const answer = await opener.resolver.resolve(hostname);
    attempt.isResolving = false;
    if (answer.kind === 'not-found') return failed('dns-not-found', answer.message);
    if (answer.kind === 'no-socket') return { kind: 'failed', failure: describeShortage(answer.code) };
    if (answer.kind === 'failed') return failed('dns-failed', answer.message);
    addresses = answer.addresses;
  }
  const usable = selectAddresses(
    addresses,
    opener.allowPrivate,
    (address) => opener.mayReach?.(target, address) === true,
  );
  if (usable.length > 0) return { kind: 'vetted', addresses: usable.slice(0, MAX_ADDRESSES) };
  const where = addresses[0] === hostname ? hostname : `${hostname} (${addresses.join(', ')})`;
  return failed(
    'private-address',
    `${where} is not a public address; --allow-private lets Forager crawl private networks.`,
  );
}

/** Starts the next address when one fails or dawdles; the first to connect wins and the others are dropped. */
function connectFirst(
  addresses: readonly string[],
  target: Target,
  connectTimeoutMs: number,
  attempt: OpenAttempt,
): Promise<OpenedSocket> {
  return new Promise((resolve) => {
    const pending = new Set<Socket>();
    let nextIndex = 0;
    let firstError: FetchFailure | undefined;
    /** As long as one address was never asked, nobody can say that the site is not there. */
    let shortage: FetchFailure | undefined;
    let staggerTimer: NodeJS.Timeout | undefined;
    const overallTimer = setTimeout(() => {
      const message = `${target.hostname}:${target.port} did not accept a connection in ${connectTimeoutMs} ms.`;
      finish({ kind: 'failed', failure: shortage ?? fail('connect-timeout', message) });
    }, connectTimeoutMs);

    function finish(outcome: OpenedSocket): void {
      clearTimeout(overallTimer);
      clearTimeout(staggerTimer);
      attempt.onCancel = ignore;
      for (const socket of pending) {
        socket.removeAllListeners();
        socket.on('error', ignore);
        socket.destroy();
      }
      resolve(outcome);
    }

    function tryNext(): void {
      clearTimeout(staggerTimer);
      const address = addresses[nextIndex++];
      if (address === undefined) {
        const failure = shortage ?? firstError ?? describeConnectError('', target);
        if (pending.size === 0) finish({ kind: 'failed', failure });
        return;
      }
      const socket = connectTcp({ host: address, port: target.port, noDelay: true, keepAlive: true });
      pending.add(socket);
      socket.once('connect', () => {
        pending.delete(socket);
        socket.removeAllListeners('error');
        finish({ kind: 'open', socket, address });
      });
      socket.once('error', (error) => {
        pending.delete(socket);
        const code = errorCode(error);
        if (isShortage(code, address)) shortage ??= describeShortage(code);
        else firstError ??= describeConnectError(code, target);
        tryNext();
      });
      if (nextIndex < addresses.length) staggerTimer = setTimeout(tryNext, NEXT_ADDRESS_MS);
    }

    attempt.onCancel = () => finish(failed('aborted', 'The exchange ended before a connection was made.'));
    tryNext();
  });
}

function startTls(
  connected: { readonly socket: Socket; readonly address: string },
  target: Target,
  opener: SocketOpener,
  attempt: OpenAttempt,
  session: Buffer | undefined,
): Promise<OpenedSocket> {
  return new Promise((resolve) => {
    const secured: TLSSocket = connectTls({
      socket: connected.socket,
      // Checked against the certificate; sent as SNI only when it is a name (RFC 6066 §3 forbids addresses).
      host: target.hostname,
      servername: isIP(target.hostname) === 0 ? target.hostname : '',
      ALPNProtocols: ['http/1.1'],
      ...(opener.ca === undefined ? {} : { ca: opener.ca }),
      ...(session === undefined ? {} : { session }),
    });
    const timer = setTimeout(() => {
      finish(failed('connect-timeout', `${target.hostname} did not finish its TLS handshake.`));
    }, opener.connectTimeoutMs);

    function finish(outcome: OpenedSocket): void {
      clearTimeout(timer);
      attempt.onCancel = ignore;
      secured.removeAllListeners('secureConnect');
      secured.removeAllListeners('error');
      if (outcome.kind === 'failed') {
        secured.on('error', ignore);
        secured.destroy();
      }
      resolve(outcome);
    }

    secured.once('secureConnect', () =>
      finish({ kind: 'open', socket: secured, address: connected.address }),
    );
    secured.once('error', (error) => {
      finish(failed('tls-failed', `No secure connection to ${target.hostname}: ${describeTlsError(error)}.`));
    });
    attempt.onCancel = () => finish(failed('aborted', 'The exchange ended before a connection was made.'));
  });
}

function describeConnectError(code: string, target: Target): FetchFailure {
  const where = `${target.hostname}:${target.port}`;
  if (code === 'ECONNREFUSED') return fail('connect-refused', `${where} refuses connections.`);
  if (code === 'ETIMEDOUT') return fail('connect-timeout', `${where} did not accept a connection.`);
  return fail('connect-failed', `${where} cannot be reached (${code || 'no address'}).`);
}

function failed(reason: FetchFailure['reason'], message: string): { kind: 'failed'; failure: FetchFailure } {
  return { kind: 'failed', failure: fail(reason, message) };
}

function ignore(): void {}

/** OpenSSL says `<hex>:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:<file>:350:`. */
function describeTlsError({ message }: Error): string {
  const reason = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
  if (reason === 'wrong version number') return 'what answers there does not speak TLS';
  return reason.trim().replace(/\.$/, '');
}
