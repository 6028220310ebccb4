/** What the engine tells, as lines of the server's log. */
import type { FastifyBaseLogger } from 'fastify';
import type { EngineEvents } from '../engine/events.ts';

export function logEngineEvents(events: EngineEvents, log: FastifyBaseLogger): void {
  events.on('worker:started', () => log.info('worker at work'));
  events.on('domain:released', ({ domain, status, code }) =>
    log.debug({ domain, status, code }, 'domain released'),
  );
  events.on('claim:lost', ({ domain }) => log.info({ domain }, 'lease lost'));
  events.on('domains:handed-over', ({ domains }) => log.info({ domains }, 'domains handed over'));
  events.on('tasks:parsed', ({ completed, retried, failed, lost }) =>
    log.debug({ completed, retried, failed, lost }, 'bodies parsed'),
  );
  events.on('parser:failed', ({ error }) =>
    log.error({ err: error }, 'parsing has failed and is tried again'),
  );
  events.on('sockets:short', ({ message }) => log.warn({ message }, 'out of sockets'));
  events.on('proxy:sealed', ({ proxy, message }) => log.warn({ proxy, message }, 'proxy cannot be used'));
  events.on('database:lost', ({ message }) => log.warn({ message }, 'database lost'));
  events.on('database:back', () => log.info('database back'));
}
