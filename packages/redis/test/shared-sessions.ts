import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { connectRedis, type RedisStore } from '@mcp/redis';
import { EventReader, type WireEvent } from '../../protocol/test/http/events.ts';
import { RedisServer } from './redis-server.ts';
import { Replica, type Session } from './replicas.ts';

/** Two replicas at one Redis for the tests of a file, and what these tests tell them. */
export class SharedSessions {
  redis!: RedisServer;
  store!: RedisStore;
  one!: Replica;
  other!: Replica;
  readonly note: string;
  readonly #directory = mkdtempSync(join(tmpdir(), 'mcp-shared-'));

  constructor() {
    this.note = join(this.#directory, 'note.txt');
    writeFileSync(this.note, 'first');
    beforeAll(async () => {
      this.redis = await RedisServer.start();
      this.store = await connectRedis(this.redis.url, { timeoutMs: 500 });
      [this.one, this.other] = await Promise.all([this.replica(), this.replica()]);
    });
    afterAll(async () => {
      await Promise.all([this.one?.end(), this.other?.end(), this.store?.close()]);
      await this.redis?.[Symbol.asyncDispose]();
      rmSync(this.#directory, { recursive: true });
    });
  }

  replica(leaseMs = 10_000, graceMs = 100): Promise<Replica> {
    return Replica.start({ redis: this.redis.url, note: this.note, leaseMs, graceMs });
  }

  /** Resolves when a message came on a channel, after `begin`, whose result it returns. */
  async during<Result>(channel: string, begin: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = await this.store.bus.subscribe(
      channel,
      () => resolve(),
      () => {},
    );
    const result = await begin();
    await promise;
    await stop();
    return result;
  }

  /** Starts a call that goes on until the test ends it. Its first message is step 1. */
  async steps(session: Session, replica: Replica): Promise<Steps> {
    const key = randomUUID();
    // Older revisions have no answer before the first message.
    const begin = async () => ({
      response: session.call(replica, 'steps', { key, count: 9 }, { progressToken: key }),
    });
    const { response } = await this.during(`started ${key}`, begin);
    await this.step({ key }, 1);
    return { key, events: new EventReader(await response) };
  }

  /** Takes a step of a call. */
  async step({ key }: Pick<Steps, 'key'>, step: number): Promise<void> {
    await this.store.bus.publish(`step ${key}`, String(step));
  }

  async finish({ key }: Steps): Promise<void> {
    await this.store.bus.publish(`end ${key}`, '');
  }
}

export interface Steps {
  readonly key: string;
  readonly events: EventReader;
}

/** The next message of a stream, as its event and its step or result. */
export async function stepIn(events: EventReader): Promise<{ id: string; step: unknown }> {
  for (;;) {
    const event = await events.next();
    if (!event) throw new Error('The stream has ended');
    if (event.data) return stepOf(event);
  }
}

export function stepOf({ id = '', data = '' }: WireEvent): { id: string; step: unknown } {
  const { params, result, error } = JSON.parse(data) as {
    params?: { progress: number };
    result?: { content: readonly [{ text: string }] };
    error?: { message: string };
  };
  return { id, step: params?.progress ?? result?.content[0].text ?? error?.message };
}
