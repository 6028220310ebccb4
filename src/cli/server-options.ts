/** Options of the commands that serve. */
import type { Command } from 'commander';
import type { ConfigOverrides } from '../platform/config.ts';
import { portNumber } from './option-values.ts';

export interface ServerOptions {
  readonly host?: string;
  readonly port?: number;
}

export function addServerOptions(command: Command): Command {
  return command
    .option('--host <address>', 'address to listen on (default: FORAGER_HOST or 127.0.0.1)')
    .option(
      '--port <number>',
      'port to listen on, 0 for a free one (default: FORAGER_PORT or 3001)',
      portNumber,
    );
}

export function serverOverrides({ host, port }: ServerOptions): ConfigOverrides {
  return { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
}
