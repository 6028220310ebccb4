/**
 * Sends what webhooks are to be told. Deliveries are rows, written in the transaction of what they tell of; a sender
 * takes those that are due under a lock that ends by itself, sends them, and writes down what came of it. Killed in
 * between, they are due again when the lock ends: whoever is told may be told twice, with the same `webhook-id`. Any
 * number of senders may run. One slow receiver has a few connections at most and does not hold up the others.
 */
import { setMaxListeners } from 'node:events';
import { createWorkerId, retireWorkerId } from '../../engine/claim/worker-identity.ts';
import type { SocketOpener } from '../../engine/fetch/open-socket.ts';
import { createResolver, type Resolver } from '../../engine/fetch/resolver.ts';
import { Signal } from '../../engine/signal.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { numberArray } from '../../platform/pg-array.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { openBox } from '../secrets/open-box.ts';
import { writeBody } from './message-body.ts';
import { postMessage } from './post-message.ts';
import { settleDelivery, type TakenDelivery } from './settle-delivery.ts';
import { signMessage } from './signature.ts';
import { SECRET_PURPOSE } from './webhooks.ts';

const takeDeliveriesSql = loadSql(import.meta.url, './take-deliveries.sql');
const takeDeliverySql = loadSql(import.meta.url, './take-delivery.sql');
const putBackDeliverySql = loadSql(import.meta.url, './put-back-delivery.sql');

const MOST_IN_FLIGHT = 32;
const MOST_PER_WEBHOOK = 4;
const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than any attempt can take. */
const LOCK_SECONDS = 60;
const LOOK_MS = 1000;
/** Without its database. */
const TROUBLE_MS = 5000;
/** A secret that cannot be read here may be readable for another sender, or after somebody has looked at it. */
const NO_SECRET_SECONDS = 60;
const GRACE_MS = 5000;

export interface SenderParts {
  readonly db: Database;
  readonly config: Pick<Config, 'allowPrivate' | 'userAgent' | 'secretKey' | 'dataDir'>;
  /** For the log. */
  readonly warn?: ((sentence: string, error?: unknown) => void) | undefined;
  readonly resolver?: Resolver | undefined;
  /** Certificate authorities to trust instead of Node's own, PEM. */
  readonly ca?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

interface Delivery extends TakenDelivery {
  readonly messageId: string;
  readonly payload: unknown;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

export class WebhookSender {
  readonly #parts: SenderParts;
  readonly #id = createWorkerId();
  readonly #resolver: Resolver;
  readonly #opener: SocketOpener;
  readonly #change = new Signal();
  readonly #calledOff = new AbortController();
  readonly #inFlight = new Map<number, { readonly webhookId: number; readonly end: Promise<void> }>();
  readonly #restsUntilMs = new Map<number, number>();
  #box: Promise<SecretBox> | undefined;
  #loop: Promise<void> | undefined;
  #isStopping = false;
  #trouble: string | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    // One for each message that is under way; Node would report the eleventh as a leak.
    setMaxListeners(0, this.#calledOff.signal);
    this.#resolver = parts.resolver ?? createResolver();
    this.#opener = {
      ...{ resolver: this.#resolver, allowPrivate: parts.config.allowPrivate, ca: parts.ca },
      connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, parts.timeoutMs ?? TIMEOUT_MS),
    };
  }

  /** Undefined: it works. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Something may be due: it looks at once instead of within a second. */
  wake(): void {
    this.#change.raise();
  }

  /** Takes nothing more and lets what is under way finish for a while; what does not is due again at once. */
  async stop(graceMs = GRACE_MS): Promise<void> {
    this.#isStopping = true;
    this.#change.raise();
    const timer = setTimeout(() => this.#calledOff.abort(), graceMs);
    await this.#loop;
    await Promise.all([...this.#inFlight.values()].map(({ end }) => end));
    clearTimeout(timer);
    if (this.#parts.resolver === undefined) this.#resolver.close();
    retireWorkerId(this.#id);
  }

  /** One delivery, whenever it is due, for whoever wants to see what comes of it. False: nobody may send it now. */
  async sendNow(deliveryId: number): Promise<boolean> {
    const values = [deliveryId, this.#id, LOCK_SECONDS];
    const { rows } = await inTransaction(this.#parts.db, (tx) => tx.query<Delivery>(takeDeliverySql, values));
    for (const delivery of rows) await this.#deliver(delivery);
    return rows.length > 0;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const waitMs = await this.#round();
      if (waitMs > 0 && !this.#isStopping) await this.#change.wait(waitMs);
    }
  }

  /** How long to wait before the next look; it is cut short when there is room again. */
  async #round(): Promise<number> {
    try {
      const room = MOST_IN_FLIGHT - this.#inFlight.size;
      const taken = room > 0 ? await this.#take(room) : [];
      this.#noteTrouble(undefined);
      for (const delivery of taken) this.#launch(delivery);
      return LOOK_MS;
    } catch (error) {
      this.#noteTrouble('Webhooks are not told at the moment; the log says why.', error);
      return TROUBLE_MS;
    }
  }

  async #take(room: number): Promise<Delivery[]> {
    const counts = new Map<number, number>();
    for (const { webhookId } of this.#inFlight.values()) {
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    }
    for (const [webhookId, untilMs] of this.#restsUntilMs) {
      if (untilMs <= monotonicMs()) this.#restsUntilMs.delete(webhookId);
    }
    const values = [
      ...[room, MOST_PER_WEBHOOK, numberArray([...counts.keys()]), numberArray([...counts.values()])],
      ...[numberArray([...this.#restsUntilMs.keys()]), this.#id, LOCK_SECONDS],
    ];
    return (await inTransaction(this.#parts.db, (tx) => tx.query<Delivery>(takeDeliveriesSql, values))).rows;
  }

  #launch(delivery: Delivery): void {
    const end = this.#deliver(delivery)
      .catch((error: unknown) => {
        // What came of it could not be written down: it is sent again when its lock ends.
        this.#noteTrouble('What became of a webhook message could not be stored.', error);
      })
      .finally(() => {
        this.#inFlight.delete(delivery.id);
        this.#change.raise();
      });
    this.#inFlight.set(delivery.id, { webhookId: delivery.webhookId, end });
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const secrets = await this.#openSecrets(delivery).catch((error: unknown) => {
      if (error instanceof ForagerError) return error;
      throw error;
    });
    if (secrets instanceof ForagerError) {
      this.#parts.warn?.(`Webhook ${delivery.webhookId} cannot be told: ${secrets.message}`, secrets);
      await this.#putBack(delivery, NO_SECRET_SECONDS, secrets.message);
      return;
    }
    const { config, db, timeoutMs = TIMEOUT_MS } = this.#parts;
    const body = writeBody(delivery.payload);
    const timestamp = Math.floor(now().getTime() / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': config.userAgent,
      'webhook-id': delivery.messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage({ id: delivery.messageId, timestamp, body }, secrets),
    };
    const order = { url: delivery.url, headers, body, timeoutMs, signal: this.#calledOff.signal };
    const result = await postMessage(order, this.#opener);
    if (result.kind === 'aborted') {
      await this.#putBack(delivery, 0, undefined);
      return;
    }
    const { restMs } = await settleDelivery(db, delivery, this.#id, result);
    if (restMs > 0) this.#restsUntilMs.set(delivery.webhookId, monotonicMs() + restMs);
  }

  async #openSecrets({ secret, previousSecret }: Delivery): Promise<string[]> {
    this.#box ??= openBox(this.#parts.db, this.#parts.config);
    // A key that cannot be read now may be there later.
    this.#box.catch(() => {
      this.#box = undefined;
    });
    const box = await this.#box;
    const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
    return sealed.map((one) => box.open(one, SECRET_PURPOSE));
  }

  async #putBack({ id }: Delivery, seconds: number, reason: string | undefined): Promise<void> {
    const values = [id, this.#id, seconds, reason ?? null];
    await inTransaction(this.#parts.db, (tx) => tx.query(putBackDeliverySql, values));
  }

  #noteTrouble(sentence: string | undefined, error?: unknown): void {
    if (sentence !== undefined && this.#trouble !== sentence) this.#parts.warn?.(sentence, error);
    this.#trouble = sentence;
  }
}
