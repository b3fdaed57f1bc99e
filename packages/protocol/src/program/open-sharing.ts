import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { backOff, messageOf } from '@mcp/kit';
import type { Server } from '../define/server.ts';
import { containing, ownPackage } from '../platform/own-package.ts';
import type { SharedStore } from '../state/shared-store.ts';

const packageName = '@mcp/redis';
/** Errors of connections are told at most this often, in milliseconds. */
const warnEveryMs = 10_000;
/** The key that seals sessions is deleted when no process has started for this long: a year. */
const keyTtlMs = 365 * 24 * 3_600_000;
const retries = { minMs: 50, maxMs: 2_000 };

/** What `@mcp/redis` exports, and this program needs of it. */
interface RedisPackage {
  readonly connectRedis: (
    url: string,
    options: { readonly prefix: string; readonly onError: (error: Error) => void },
  ) => Promise<OpenedStore>;
}

type OpenedStore = SharedStore & { close(): Promise<void> };

/** A program whose processes share a store. */
export interface SharingProgram {
  /** The name of the program, which separates its keys from those of other programs. */
  readonly command: string;
  /** How to start the program with the package, for the error that it is missing. */
  readonly install: string;
  /** Paths of which the package is not loaded, because a client may write to them. */
  readonly allowed: readonly string[];
  readonly warn: (message: string) => void;
}

/** What this process shares with others. */
export interface Sharing {
  readonly store: OpenedStore;
  /** A key of 32 bytes that the other processes have too. */
  readonly key: Uint8Array;
  /** The same server, which seals sessions with this key, unless it has a key of its own. */
  sealed(server: Server): Server;
}

/**
 * Connects to the Redis at `url`, with `@mcp/redis`, which is installed with the program. Throws if it is not
 * installed, lies in an allowed directory, or cannot connect.
 */
export async function openSharing(url: string, program: SharingProgram): Promise<Sharing> {
  refuseOtherUrls(url);
  const { command, warn } = program;
  let nextAt = 0;
  const onError = (error: Error) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + warnEveryMs;
    warn(`Redis: ${messageOf(error)}`);
  };
  const store = await loadRedis(program).connectRedis(url, { prefix: `mcp:${command}:`, onError });
  const hex = await sharedKey(store).catch(async (error: unknown) => {
    // Its connections would keep the process alive.
    await store.close();
    throw error;
  });
  const key = Buffer.from(hex, 'hex');
  return {
    store,
    key,
    sealed(server) {
      const { definition } = server;
      return definition.stateKey ? server : { ...server, definition: { ...definition, stateKey: key } };
    },
  };
}

function refuseOtherUrls(url: string): void {
  if (isRedisUrl(url)) return;
  // The value may have a password, so the error does not show it.
  throw new Error(
    'Invalid --redis, or MCP_REDIS_URL in the environment; ' +
      'expected redis://[[user]:password@]host[:port][/database], with user and password percent-encoded',
  );
}

function isRedisUrl(url: string): boolean {
  try {
    const { protocol, username, password, pathname } = new URL(url);
    for (const part of [username, password]) decodeURIComponent(part);
    return /^rediss?:$/.test(protocol) && /^(?:\/\d*)?$/.test(pathname);
  } catch {
    return false;
  }
}

/** The key that all processes with this store seal sessions with. The first process makes it. */
async function sharedKey(store: SharedStore): Promise<string> {
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
  await putKey(store, made);
  const [first] = (await store.streams.after('state-key', 0)) ?? [];
  if (!first) throw new Error('Redis has lost the key of the sessions; start again');
  const key = first.text;
  // A Redis that has lost its data gets this key again, before a later process makes another one.
  await store.bus.subscribe(
    'state-key',
    () => {},
    () => void putBack(store, key),
  );
  return key;
}

/** Stores the key, unless there is one. */
async function putKey({ streams }: SharedStore, key: string): Promise<void> {
  await streams.append('state-key', [key], { at: 1, ttlMs: keyTtlMs });
}

async function putBack(store: SharedStore, key: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const isStored = await putKey(store, key).then(
      () => true,
      () => false,
    );
    if (isStored) return;
    await backOff(retries, attempt, { unref: true });
  }
}

function loadRedis({ install, allowed }: SharingProgram): RedisPackage {
  const directory = ownPackage(packageName);
  if (directory === undefined)
    throw new Error(`--redis needs the package ${packageName}, installed with this program: ${install}`);
  const around = containing(directory, allowed);
  if (around !== undefined)
    throw new Error(
      `${directory} is not loaded, because it lies in the allowed directory ${around}; install it outside`,
    );
  return createRequire(join(realpathSync(directory), 'package.json'))(packageName) as RedisPackage;
}
