/** What is wrong with the broker, in one sentence that says what to do. No secret of the URL is in it. */
import { messageOf } from '../platform/database-errors.ts';
import { errorCode } from '../platform/errors.ts';

const MEANWHILE = 'Workers find tasks by looking, until then.';

export function describeTrouble(url: string, error: unknown): string {
  return `RabbitMQ at ${placeOf(url)} ${explain(url, error)}. ${MEANWHILE}`;
}

export function describeBlocked(url: string, reason: string): string {
  return `RabbitMQ at ${placeOf(url)} takes no messages at the moment (${reason}): see to its memory and disk. ${MEANWHILE}`;
}

function explain(url: string, error: unknown): string {
  const text = messageOf(error);
  const code = errorCode(error) ?? '';
  if (/ACCESS[_-]REFUSED/.test(text) && /Login was refused|Handshake/.test(text)) {
    return `refuses the user "${userOf(url)}" or the password: correct AMQP_URL (note that "guest" may log in from the broker's own machine only)`;
  }
  if (/ACCESS[_-]REFUSED/.test(text)) {
    return `does not let the user "${userOf(url)}" do what is needed (${detailOf(text)}): give it configure, write and read rights (rabbitmqctl set_permissions)`;
  }
  if (/PRECONDITION[_-]FAILED/.test(text)) {
    const queue = /for (?:queue|exchange) '([^']+)'/.exec(text)?.[1];
    if (queue !== undefined) {
      return `has "${queue}", made by somebody else or by another version, with other arguments (${detailOf(text)}): delete it there, it is made anew, or give the queues other names with FORAGER_AMQP_PREFIX`;
    }
  }
  if (/got <ConnectionClose/.test(text) || /NOT_ALLOWED - vhost/.test(text)) {
    return `has no virtual host "${vhostOf(url)}", or does not let the user "${userOf(url)}" into it: correct the end of AMQP_URL, or make it (rabbitmqctl add_vhost, set_permissions)`;
  }
  if (code.startsWith('ERR_SSL') || /wrong version number/.test(text)) {
    return 'does not speak TLS at this port: use amqp://, or the port of its TLS listener (5671)';
  }
  if (isCertificateProblem(code, text)) {
    return `shows a certificate that is not trusted (${text}): name the authority that signed it in NODE_EXTRA_CA_CERTS, or use the host name that is in it`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'cannot be found: correct the host name in AMQP_URL';
  if (code === 'ECONNREFUSED')
    return 'is not there (the connection was refused): start it, or correct AMQP_URL';
  if (/during opening handshake/.test(text) || code === 'ECONNRESET') {
    return `broke off the connection (${text}): it may be starting or stopping, or something else listens there, or want amqps://`;
  }
  return `cannot be used (${text}): see whether it runs and is well`;
}

function isCertificateProblem(code: string, text: string): boolean {
  return /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code) || /certificate/i.test(text);
}

/** What the broker said, without the client's words around it. */
function detailOf(text: string): string {
  return /with message "(.*)"$/.exec(text)?.[1] ?? text;
}

function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'amqps:' ? '5671' : '5672')}`;
}

function userOf(url: string): string {
  const { username } = new URL(url);
  return username === '' ? 'guest' : decode(username);
}

function vhostOf(url: string): string {
  return decode(new URL(url).pathname.slice(1)) || '/';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
