/** The crawl while it runs: a few living lines on a terminal, a plain line now and then elsewhere. */
import type { EngineEvents } from '../engine/events.ts';
import { CONSEQUENCES } from '../engine/outcome.ts';
import type { Worker } from '../engine/worker.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { CommandContext } from './context.ts';
import { formatBytes, formatCount, formatDuration, formatRate, pad, printable, shorten } from './format.ts';
import { LiveLines } from './live-lines.ts';

const LIVE_EVERY_MS = 200;
const PLAIN_EVERY_MS = 5000;
const DOMAIN_LINES = 8;
const RATE_WINDOW = 25;
/** Finished ones beyond this are forgotten: a worker meets millions in its life. */
const MOST_DOMAINS = 1000;

export interface Progress {
  note(text: string): void;
  stop(): void;
}

interface DomainProgress {
  pages: number;
  visits: number;
  end: 'none' | 'done' | 'failed';
}

export function startProgress(parts: {
  context: CommandContext;
  events: EngineEvents;
  crawl: { readonly worker: Worker | undefined; readonly pagesBefore: number };
  /** Between two plain lines. */
  plainEveryMs?: number;
}): Progress {
  const { context, events, crawl, plainEveryMs = PLAIN_EVERY_MS } = parts;
  const { err } = context;
  const startedMs = monotonicMs();
  const domains = new Map<string, DomainProgress>();
  const recent: { atMs: number; pages: number }[] = [{ atMs: startedMs, pages: 0 }];
  let pages = 0;
  let errors = 0;
  let bytes = 0;
  let lastUrl = '';
  const ofDomain = (domain: string): DomainProgress => {
    const known = domains.get(domain) ?? { pages: 0, visits: 0, end: 'none' };
    domains.set(domain, known);
    return known;
  };
  events.on('domain:claimed', ({ domain }) => {
    ofDomain(domain).end = 'none';
  });
  events.on('domain:released', ({ domain, status, reason, code }) => {
    ofDomain(domain).end = status === 'blocked' || status === 'unreachable' ? 'failed' : 'done';
    if (domains.size > MOST_DOMAINS) domains.delete(domain);
    if (code !== undefined && !context.isJson) note(`${domain}: ${printable(reason ?? code)}`);
  });
  events.on('url:visited', (visit) => {
    bytes += visit.bytes;
    lastUrl = visit.url;
    const domain = ofDomain(visit.domain);
    domain.visits += 1;
    if (visit.isPage) {
      pages += 1;
      domain.pages += 1;
    } else if (CONSEQUENCES[visit.outcome.kind].isError) errors += 1;
  });
  events.on('robots:delay-capped', ({ domain, askedSeconds, usedSeconds }) => {
    note(`${domain}: robots.txt asks for ${askedSeconds} s between requests; waiting ${usedSeconds} s`);
  });
  events.on('claim:lost', ({ domain }) =>
    note(`${domain}: its lease is over (another worker took over, or somebody reset it)`),
  );
  let isWaiting = false;
  events.on('claim:waiting', ({ domains: count }) => {
    if (!isWaiting)
      note(`another process is working on ${formatCount(count)} of these domains; waiting for it`);
    isWaiting = true;
  });
  events.on('domains:resting', ({ domains: count, restMs }) => {
    note(
      `${formatCount(count)} ${count === 1 ? 'domain must' : 'domains must'} rest first; going on in ${formatDuration(restMs)}`,
    );
  });
  events.on('domain:released', ({ domain, code, reason }) => {
    if (code === 'no_proxy') note(`${domain} waits: ${reason}`);
  });
  events.on('domains:handed-over', ({ domains: count }) => {
    note(`${countOf(count, 'domain')} handed over to workers with nothing to do`);
  });
  events.on('parser:failed', ({ message }) => note(`parsing failed: ${message}; trying again`));
  events.on('sockets:short', ({ message }) => note(`${message} Trying again.`));
  events.on('proxy:sealed', ({ proxy, message }) => note(`${proxy} cannot be used: ${message}`));
  events.on('database:lost', ({ message }) => note(`${message} Waiting for it to come back.`));
  events.on('database:back', () => note('The database is back; going on.'));

  const live = err.isInteractive && !context.isJson ? new LiveLines(err) : undefined;
  function note(text: string): void {
    if (live !== undefined) live.printAbove(`  ${err.style.yellow('!')} ${text}`);
    else if (!context.isJson) err.write(`${text}\n`);
  }
  function rate(): number {
    const first = recent[0];
    const last = recent.at(-1);
    if (first === undefined || last === undefined || last.atMs <= first.atMs) return 0;
    return ((last.pages - first.pages) / (last.atMs - first.atMs)) * 1000;
  }
  function tick(): void {
    const nowMs = monotonicMs();
    recent.push({ atMs: nowMs, pages });
    if (recent.length > RATE_WINDOW) recent.shift();
    if (live === undefined) {
      if (!context.isJson) {
        const domainCount = crawl.worker?.domainCount ?? 0;
        const figures = [
          countOf(crawl.pagesBefore + pages, 'page'),
          `${formatRate(rate())}/s`,
          countOf(errors, 'error'),
          countOf(domainCount, 'domain'),
        ];
        err.write(`crawling: ${figures.join(', ')}\n`);
      }
      return;
    }
    live.draw(drawLines(nowMs));
  }
  function drawLines(nowMs: number): string[] {
    const { style, columns } = err;
    const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[Math.floor(nowMs / 100) % 10] ?? '';
    const worker = crawl.worker;
    const head = [
      `${style.cyan(spinner)} ${style.bold(`${formatCount(crawl.pagesBefore + pages)} pages`)}`,
      `${formatRate(rate())}/s`,
      formatBytes(bytes),
      `${formatCount(worker?.inFlight ?? 0)} in flight`,
      ...(errors > 0 ? [style.red(`${formatCount(errors)} errors`)] : []),
      style.dim(formatDuration(nowMs - startedMs)),
    ].join('  ');
    const active = [...domains].sort(
      ([, a], [, b]) => Number(a.end !== 'none') - Number(b.end !== 'none') || b.visits - a.visits,
    );
    const most = Math.max(1, ...active.map(([, domain]) => domain.visits));
    const nameWidth = Math.min(
      34,
      Math.max(12, ...active.slice(0, DOMAIN_LINES).map(([name]) => name.length)),
    );
    const looks = {
      none: { mark: style.dim('·'), paint: style.cyan },
      done: { mark: style.green('✓'), paint: style.green },
      failed: { mark: style.red('✗'), paint: style.red },
    };
    const rows = active.slice(0, DOMAIN_LINES).map(([name, domain]) => {
      const bar = '█'.repeat(Math.max(1, Math.round((domain.visits / most) * 24)));
      const { mark, paint } = looks[domain.end];
      return `  ${mark} ${pad(shorten(name, nameWidth), nameWidth, 'left')} ${paint(bar)} ${formatCount(domain.pages)}`;
    });
    const more =
      active.length > DOMAIN_LINES ? [style.dim(`    … and ${active.length - DOMAIN_LINES} more`)] : [];
    const tail = style.dim(`  ${shorten(printable(lastUrl), Math.max(20, columns - 4))}`);
    return ['', head, ...rows, ...more, tail];
  }

  const timer = setInterval(tick, live === undefined ? plainEveryMs : LIVE_EVERY_MS);
  return {
    note,
    stop: () => {
      clearInterval(timer);
      live?.clear();
    },
  };
}

function countOf(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;
}
