/** TLS on a connected socket: straight to a server, to a proxy, or to a server through a proxy's tunnel. */
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  calledOff,
  failed,
  ignore,
  type OpenAttempt,
  type OpenedSocket,
  type SocketOpener,
  type Target,
} from './socket-opening.ts';

export function startTls(
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
    attempt.onCancel = () => finish(calledOff());
  });
}

/** OpenSSL says `<hex>:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:<file>:350:`. */
function describeTlsError({ message }: Error): string {
  const reason = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
  if (reason === 'wrong version number') return 'what answers there does not speak TLS';
  return reason.trim().replace(/\.$/, '');
}
