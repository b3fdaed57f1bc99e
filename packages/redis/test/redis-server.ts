import { execFileSync } from 'node:child_process';
import { afterAll, describe } from 'vitest';
import { redisCommand, RedisServer } from './redis-process.ts';

export { RedisServer } from './redis-process.ts';

/** Whether there is a Redis or Valkey server on this machine. */
const hasRedis = (() => {
  try {
    execFileSync(redisCommand, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Tests that need a Redis server; without one, they are skipped with the reason. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (!hasRedis) process.stdout.write(`Skipped: ${name}: there is no "${redisCommand}"\n`);
  describe.skipIf(!hasRedis)(name, tests);
}

/** One server for the tests of a file. */
export function redisForFile(): () => Promise<RedisServer> {
  let server: Promise<RedisServer> | undefined;
  afterAll(async () => (await server)?.[Symbol.asyncDispose]());
  return () => (server ??= RedisServer.start());
}
