import { connectRedis } from '@mcp/redis';
import { Cluster } from './cluster.ts';
import { pause, waitFor } from './deadline.ts';
import { LibraryClient } from './library-client.ts';
import { Ledger } from './ledger.ts';
import { Random } from './random.ts';
import type { RunContext } from './run-context.ts';
import { SessionClient } from './session-client.ts';
import { StatelessClient } from './stateless-client.ts';

export interface Destruction {
  /** How long replicas are destroyed, in seconds. */
  readonly seconds: number;
  readonly seed: number;
  /** The number of clients of each revision. */
  readonly clients: number;
  readonly log: (line: string) => void;
}

const versions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const prefix = 'mcp:stream:';
/** How long each client may wait for the last change, in milliseconds; the machine may be busy. */
const tellMs = 60_000;

/**
 * Kills replicas at random under load, restarts Redis once, and rolls a new version through. Returns what has
 * happened, and what must not have happened.
 */
export async function destroy({ seconds, seed, clients, log }: Destruction): Promise<Ledger> {
  const ledger = new Ledger();
  const random = new Random(seed);
  await using cluster = await Cluster.start();
  const store = await connectRedis(cluster.redis.url);
  const ended = new AbortController();
  const run: RunContext = {
    url: cluster.url,
    ledger,
    random: new Random(seed + 1),
    store,
    version: () => cluster.version,
    ended: ended.signal,
    streamsEndingWith: async (end) => {
      const names = await cluster.redis.command('--scan', '--pattern', `${prefix}*${end}`);
      return names === '' ? [] : names.split('\n').map((name) => name.slice(prefix.length));
    },
  };
  const all = Array.from({ length: clients }, () => [
    ...versions.map((version) => new SessionClient(run, version)),
    new StatelessClient(run),
    ...[...versions, '2026-07-28'].map((version) => new LibraryClient(run, version)),
  ]).flat();
  const working = all.map((client) =>
    client.work().catch((error: unknown) => ledger.violated(`${client.name}: ${String(error)}`)),
  );
  log(`${all.length} clients at ${cluster.url}, seed ${seed}`);
  await waitFor('the destruction to end', 2 * seconds + 120, destroyAll());
  await told();
  ended.abort();
  log('The destruction has ended; each client is checked');
  await waitFor('all clients to end', 90, Promise.all(working));
  await waitFor('the checks of all clients', 120, Promise.all(all.map((client) => client.check())));
  await store.close();
  return ledger;

  async function destroyAll(): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    const restartAt = performance.now() + seconds * 400;
    const rollAt = performance.now() + seconds * 700;
    let [isRestarted, isRolled] = [false, false];
    while (performance.now() < until) {
      await pause(random.between(300, 1_500));
      await store.bus.publish('news', '').catch(() => undefined);
      if (!isRestarted && performance.now() > restartAt) {
        isRestarted = true;
        log('Redis is restarted');
        await cluster.restartRedis(random.between(200, 1_500));
        ledger.count('restarts of Redis');
      } else if (!isRolled && performance.now() > rollAt) {
        isRolled = true;
        log('A new version is rolled through');
        await cluster.roll();
        ledger.count('replicas replaced by a new version', 3);
      } else {
        await cluster.kill(random.between(0, 2));
        ledger.count('replicas killed');
      }
    }
  }

  /** Publishes a change, as soon as the connection to Redis is there again. */
  async function published(): Promise<void> {
    while (
      !(await store.bus.publish('news', '').then(
        () => true,
        () => false,
      ))
    )
      await pause(100);
  }

  /** A change after all destruction reaches each client. */
  async function told(): Promise<void> {
    const before = all.map(({ updates }) => updates);
    await waitFor('Redis to take a message', 30, published());
    const until = performance.now() + tellMs;
    for (const [index, client] of all.entries()) {
      while (client.updates === before[index] && performance.now() < until) await pause(50);
      if (client.updates > before[index]!) ledger.count('clients told of the last change');
      else ledger.violated(`${client.name}: not told of the last change within ${tellMs} ms`);
    }
  }
}
