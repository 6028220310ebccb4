/** The server alone, for a fleet whose workers run elsewhere. */
import { announce } from './announce.ts';
import type { CommandContext } from './context.ts';
import { endOnDefects } from './end-on-defects.ts';
import { startServer } from './serve.ts';
import { openServerLog } from './server-log.ts';
import { hearStopSignals } from './stop-signals.ts';

export async function runApi(context: CommandContext): Promise<void> {
  const { err, isJson } = context;
  const log = openServerLog(context);
  const note = (text: string): void => {
    if (err.isInteractive && !isJson) err.write(`  ${text}\n`);
  };
  const signals = hearStopSignals((signal) => note(`${signal}: ending; once more stops at once`));
  const forget = endOnDefects(log);
  try {
    const server = await startServer(context.config, log);
    try {
      announce(context, { what: 'the API', server });
      const signal = await new Promise<string>((resolve) => signals.whenAsked(resolve));
      note(`${signal}: finishing requests; once more stops at once`);
      server.log.info({ signal }, 'stopping');
    } finally {
      await server.close();
    }
    if (isJson) context.printJson({ event: 'stopped' });
    else context.printLine('Stopped.');
  } finally {
    forget();
    signals.unhook();
  }
}
