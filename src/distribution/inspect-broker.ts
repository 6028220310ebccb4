/** A look at the broker from outside, for those who look after it: is it there, and are the queues as they should be? */
import { openSession, type RabbitSession } from './rabbit-session.ts';
import { QUEUE_NAMES, type QueueName, type Topology, topologyOf } from './rabbit-topology.ts';
import { describeTrouble } from './rabbit-trouble.ts';
import { within } from './wait-until.ts';

export interface QueueDepth {
  readonly name: string;
  /** Undefined: it has not been made yet. */
  readonly depth: { readonly messages: number; readonly consumers: number } | undefined;
}

export type BrokerReport =
  | { readonly kind: 'there'; readonly version: string; readonly queues: readonly QueueDepth[] }
  | { readonly kind: 'trouble'; readonly sentence: string };

const PATIENCE_MS = 10_000;

/** Makes nothing: queues that are missing stay missing. Never throws. */
export async function inspectBroker(url: string, prefix: string): Promise<BrokerReport> {
  let session: RabbitSession | undefined;
  try {
    session = await openSession({
      ...{ url, name: `forager ${process.pid} looks`, signal: AbortSignal.timeout(PATIENCE_MS) },
      onBlocked: () => undefined,
      onDefect: () => undefined,
    });
    const { version } = session.model.connection.serverProperties;
    const queues = await within(
      PATIENCE_MS,
      readQueues(session, topologyOf(prefix)),
      'it did not answer in time',
    );
    return { kind: 'there', version, queues };
  } catch (error) {
    return { kind: 'trouble', sentence: describeTrouble(url, error) };
  } finally {
    await session?.leave();
  }
}

async function readQueues(session: RabbitSession, topology: Topology): Promise<QueueDepth[]> {
  const queues: QueueDepth[] = [];
  for (const queue of QUEUE_NAMES) queues.push(await readQueue(session, topology, queue));
  return queues;
}

/** On a channel of its own: the broker closes it when there is no such queue. */
async function readQueue(session: RabbitSession, topology: Topology, queue: QueueName): Promise<QueueDepth> {
  const name = topology.nameOf(queue);
  const channel = await session.model.createChannel();
  channel.on('error', () => undefined);
  try {
    const { messageCount, consumerCount } = await channel.checkQueue(name);
    // It is there, so that this only compares.
    await topology.declareQueue(channel, queue);
    await channel.close();
    return { name, depth: { messages: messageCount, consumers: consumerCount } };
  } catch (error) {
    if (isMissing(error)) return { name, depth: undefined };
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && /NOT[_-]FOUND/.test(error.message);
}
