/** `forager proxy check`: many at a time, each told as it comes in. */
import type { Command } from 'commander';
import { allProxyIds, checkMany } from '../control/proxies/check-many.ts';
import { openCheckFetcher, type ProxyCheck, readCheckUrl } from '../control/proxies/check-proxy.ts';
import { openBox } from '../control/secrets/open-box.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, EXIT_INTERRUPTED, QuietExit, UsageError } from './exit.ts';
import { formatCount, pad, printable } from './format.ts';
import { LiveLines } from './live-lines.ts';
import { countOf } from './proxy-words.ts';
import { hearStopSignals } from './stop-signals.ts';
import { wrapFor } from './wrap-text.ts';

const BAR_WIDTH = 24;
/** Below the number of a proxy. */
const INDENT = '        ';

interface CheckOptions {
  readonly all?: true;
  readonly active?: true;
  readonly url?: string;
  readonly concurrency: number;
}

export async function checkProxies(ids: readonly number[], command: Command): Promise<void> {
  const context = makeContext(command);
  const { all, active, url, concurrency } = command.optsWithGlobals<CheckOptions>();
  const isMany = all === true || active === true;
  if (isMany === ids.length > 0) {
    throw new UsageError('Name the proxies by their numbers, or give --all or --active.');
  }
  const { config } = context;
  if (url !== undefined) readCheckUrl(url, config.allowPrivate);
  const figures = { checked: 0, ok: 0, total: isMany ? undefined : ids.length };
  const stopping = new AbortController();
  const signals = hearStopSignals(() => stopping.abort());
  signals.whenAsked(() => stopping.abort());
  const teller = startTelling(context, figures);
  try {
    await withDatabase(config, async (db) => {
      const fetcher = openCheckFetcher(config);
      try {
        const tools = { settings: config, fetcher, box: await openBox(db, config) };
        const numbers = isMany ? allProxyIds(db, all !== true) : namedIds(ids);
        await checkMany(db, numbers, {
          ...{ url, concurrency, tools, actor: cliActor(), signal: stopping.signal },
          onChecked: (check) => {
            figures.checked += 1;
            if (check.ok) figures.ok += 1;
            teller.tell(check);
          },
        });
      } finally {
        await fetcher.close();
      }
    });
  } finally {
    teller.stop();
    signals.unhook();
  }
  const failed = figures.checked - figures.ok;
  if (!context.isJson && figures.checked !== 1) {
    context.printLine(
      `${formatCount(figures.checked)} checked: ${countOf(figures.ok, ['works', 'work'])}, ` +
        `${countOf(failed, ['does', 'do'])} not.`,
    );
  }
  if (stopping.signal.aborted) throw new QuietExit(EXIT_INTERRUPTED);
  if (failed > 0) throw new QuietExit(EXIT_FAILED);
}

async function* namedIds(ids: readonly number[]): AsyncGenerator<number> {
  yield* new Set(ids);
}

interface Teller {
  tell(check: ProxyCheck): void;
  stop(): void;
}

/** Results go to standard output as they come in; a bar stands below them on a terminal. */
function startTelling(
  context: CommandContext,
  figures: { readonly checked: number; readonly ok: number; readonly total: number | undefined },
): Teller {
  const { err, out, isJson } = context;
  const live = err.isInteractive && !isJson ? new LiveLines(err) : undefined;
  return {
    tell: (check) => {
      if (isJson) {
        context.printJson(check);
        return;
      }
      live?.clear();
      const id = pad(String(check.proxyId), 6, 'right');
      for (const [index, line] of wrapFor(out, describeCheck(check), INDENT.length).entries()) {
        const whole = `${index === 0 ? `${id}  ` : INDENT}${line}`;
        context.printLine(check.ok ? whole : out.style.yellow(whole));
      }
      if (figures.total === 1) {
        for (const line of wrapFor(out, check.note, INDENT.length))
          context.printLine(out.style.dim(INDENT + line));
      }
      live?.draw([`  ${drawBar(figures.checked, figures.total)}${formatCount(figures.checked)} checked`]);
    },
    stop: () => live?.clear(),
  };
  function drawBar(checked: number, total: number | undefined): string {
    if (total === undefined) return '';
    const filled = Math.round((checked / total) * BAR_WIDTH);
    return `${err.style.cyan('█'.repeat(filled))}${err.style.dim('░'.repeat(BAR_WIDTH - filled))}  `;
  }
}

function describeCheck({ ok, address, latencyMs, error }: ProxyCheck): string {
  if (ok) return `works, ${formatCount(latencyMs)} ms${address === null ? '' : `, seen as ${address}`}`;
  return `does not work (${error?.code ?? 'unknown'}): ${printable(error?.message ?? '')}`;
}
