// Connects a process to what it shares with others, for `shared` of an endpoint of `@mcp/protocol`.
export { connectRedis } from './connect-redis.ts';
export type { RedisOptions, RedisStore } from './connect-redis.ts';
