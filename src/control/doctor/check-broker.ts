/** Is the RabbitMQ of AMQP_URL there, and are its queues as they should be? */
import { inspectBroker, type QueueDepth } from '../../distribution/inspect-broker.ts';
import type { Config } from '../../platform/config.ts';
import { type Check, ok, warning } from './check.ts';

const NAME = 'RabbitMQ';
/** RabbitMQ expires hints in quorum queues from then on. */
const OLDEST = [3, 10] as const;

/** What is wrong here is a warning: work goes on without it, slower. */
export async function checkBroker({
  amqpUrl,
  amqpPrefix,
}: Pick<Config, 'amqpUrl' | 'amqpPrefix'>): Promise<Check[]> {
  if (amqpUrl === undefined) return [];
  const report = await inspectBroker(amqpUrl, amqpPrefix);
  if (report.kind === 'trouble') return [warning(NAME, report.sentence)];
  if (isTooOld(report.version)) {
    return [
      warning(
        NAME,
        `version ${report.version} is too old for the queues of Forager`,
        'update it to 3.10 or newer',
      ),
    ];
  }
  return [ok(NAME, `version ${report.version} answers; ${describeQueues(report.queues)}`)];
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

function describeQueues(queues: readonly QueueDepth[]): string {
  if (queues.every(({ depth }) => depth === undefined))
    return 'its queues are made by the first who needs them';
  return queues
    .map(({ name, depth }) =>
      depth === undefined
        ? `${name} is missing`
        : `${name}: ${depth.messages} waiting, ${depth.consumers} taking`,
    )
    .join('; ');
}
