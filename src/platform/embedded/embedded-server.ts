/**
 * The embedded server and its guests.
 *
 * Every Forager process that uses a data directory is a guest of the one server in it. Arriving and leaving
 * happen under a lock between processes. Who arrives starts the server, or joins it if it runs. While a guest
 * is there it keeps one connection open: that is its presence, and it ends by itself when the guest is killed.
 * Who leaves asks the server whether anyone else is connected, and stops it if not. A server whose guests
 * were all killed runs on, and the next guest joins it.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { PlatformError } from '../errors.ts';
import { findPlatformPackage, provideBinaries } from './binaries.ts';
import { prepareCluster, providePassword, refuseForeignCluster, superuser } from './cluster.ts';
import { prepareDataDir, writeFileWhole } from './data-dir.ts';
import { describeFileProblem } from './file-problem.ts';
import { type Placement, placeServer, rememberPlacement } from './placement.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { withProcessLock } from './process-lock.ts';
import { type Connection, connectToServer, ensureDatabase, type ServerAddress } from './server-connection.ts';
import { startServer } from './start-server.ts';
import { stopServer } from './stop-server.ts';

export interface EmbeddedGuest {
  /** The name all connections of this guest must carry, so that it knows its own from those of others. */
  readonly applicationName: string;
  /** Where the server is now; after it had to be restarted it may be another port. */
  address(): ServerAddress;
  /** To be called when own connections are closed: stops the server if nobody else is there. */
  leave(): Promise<void>;
}

const databaseName = 'forager';
const lockWaitMs = 12 * 60_000;
const settleWithinMs = 10 * 60_000;

/** Arrives at the server of this data directory, starting it if need be. */
export async function arriveAtServer(
  dataDirSetting: string,
  onMoved: (address: ServerAddress) => void = () => undefined,
): Promise<EmbeddedGuest> {
  refuseUnsupportedPlatform();
  const dataDir = await prepareDataDir(dataDirSetting);
  const applicationName = `forager ${process.pid} ${randomBytes(4).toString('hex')}`;
  const guest: GuestState = {
    dataDir,
    applicationName,
    onMoved,
    address: undefined,
    presence: undefined,
    hasLeft: false,
  };
  await underServerLock(dataDir, () => arrive(guest));
  return {
    applicationName,
    address: () => currentAddress(guest),
    leave: () => leave(guest),
  };
}

interface GuestState {
  readonly dataDir: string;
  readonly applicationName: string;
  readonly onMoved: (address: ServerAddress) => void;
  address: ServerAddress | undefined;
  presence: Connection | undefined;
  hasLeft: boolean;
}

async function arrive(guest: GuestState): Promise<void> {
  const placement = await placeServer(guest.dataDir);
  const running = await awaitSettledServer(placement);
  const port = running ?? (await startOwnServer(guest.dataDir, placement));
  const password = await providePassword(guest.dataDir, placement.clusterDir);
  guest.address = { host: '127.0.0.1', port, user: superuser, password, database: databaseName };
  try {
    guest.presence = await connectPresence(guest, placement);
  } catch (error) {
    // Nobody can use the server we have just started: do not leave it behind.
    if (running === undefined) await stopServer(placement);
    throw error;
  }
}

async function startOwnServer(dataDir: string, placement: Placement): Promise<number> {
  try {
    await refuseForeignCluster(placement.clusterDir, await findPlatformPackage());
    const binaries = await provideBinaries(placement.home, placement.user);
    await prepareCluster(placement, binaries, await providePassword(dataDir, placement.clusterDir));
    await rememberPlacement(dataDir, placement);
    const port = await startServer(placement, binaries, await readRememberedPort(dataDir));
    await writeFileWhole(portFile(dataDir), `${port}\n`, 0o644);
    return port;
  } catch (error) {
    throw describeFileProblem(error, placement.home, 'The place of the embedded database');
  }
}

/** The port of the running server; waits while one is starting up (recovering) or shutting down. */
async function awaitSettledServer(placement: Placement): Promise<number | undefined> {
  const deadline = monotonicMs() + settleWithinMs;
  for (;;) {
    const file = await readPostmasterFile(placement.clusterDir);
    if (file === undefined || !file.isRunning) return undefined;
    if (file.status === 'ready') return file.port;
    if (monotonicMs() > deadline) {
      throw new PlatformError(
        'server-unsettled',
        `The embedded database (process ${file.pid}) has been ${file.status || 'starting'} for too long.`,
        { hint: `see its log in ${path.join(placement.clusterDir, 'log')}; end that process if it hangs` },
      );
    }
    await pause(25);
  }
}

async function connectPresence(guest: GuestState, placement: Placement): Promise<Connection> {
  const address = currentAddress(guest);
  await ensureDatabase(address, guest.applicationName, placement.clusterDir);
  const presence = await connectToServer(address, address.database, guest.applicationName);
  presence.on('error', () => undefined);
  // Being a guest is no reason for a process to stay.
  presence.unref();
  presence.once('end', () => {
    if (!guest.hasLeft) void returnToServer(guest);
  });
  return presence;
}

/** The server vanished beneath us (killed, out of memory): bring it back, at the same port if possible. */
async function returnToServer(guest: GuestState): Promise<void> {
  for (let delayMs = 100; !guest.hasLeft; delayMs = Math.min(delayMs * 2, 10_000)) {
    try {
      await underServerLock(guest.dataDir, async () => {
        if (!guest.hasLeft) await arrive(guest);
      });
      guest.onMoved(currentAddress(guest));
      return;
    } catch {
      // Those who use the database see that it is away; we keep trying for as long as they stay.
      await pause(delayMs, undefined, { ref: false });
    }
  }
}

async function leave(guest: GuestState): Promise<void> {
  if (guest.hasLeft) return;
  guest.hasLeft = true;
  guest.presence?.ref();
  try {
    await underServerLock(guest.dataDir, async () => {
      const placement = await placeServer(guest.dataDir);
      const isLast = await isLastGuest(guest);
      await guest.presence?.end().catch(() => undefined);
      if (isLast) await stopServer(placement);
    });
  } catch (error) {
    // A disk too full even for the lock: going must still be possible. The server stays for the next one.
    await guest.presence?.end().catch(() => undefined);
    if (!(error instanceof PlatformError)) throw error;
  }
}

async function isLastGuest(guest: GuestState): Promise<boolean> {
  try {
    const others = await guest.presence?.query(
      `select 1 from pg_stat_activity
        where backend_type = 'client backend' and application_name <> $1 and pid <> pg_backend_pid() limit 1`,
      [guest.applicationName],
    );
    return others?.rowCount === 0;
  } catch {
    // Without an answer nobody may be turned out.
    return false;
  }
}

function currentAddress(guest: GuestState): ServerAddress {
  if (guest.address === undefined) throw new Error('the server has no address before it was reached');
  return guest.address;
}

async function underServerLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const options = { waitMs: lockWaitMs, purpose: 'starting and stopping the embedded database' };
  try {
    return await withProcessLock(path.join(dataDir, 'postgres', 'server.lock'), options, work);
  } catch (error) {
    throw describeFileProblem(error, dataDir, 'The data directory');
  }
}

function portFile(dataDir: string): string {
  return path.join(dataDir, 'postgres', 'port');
}

async function readRememberedPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(portFile(dataDir), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : undefined;
}

function refuseUnsupportedPlatform(): void {
  if (process.platform !== 'win32') return;
  throw new PlatformError('unsupported-platform', 'The embedded database does not run on Windows itself.', {
    hint: 'use WSL, or set DATABASE_URL to a PostgreSQL server of yours',
  });
}
