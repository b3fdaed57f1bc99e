export type { Channel, Envelope, Receiver } from './jsonrpc/channel.ts';
export { serveStdio } from './program/serve-stdio.ts';
export { serve, type ServeOptions } from './server/serve.ts';
export { type Environment, serverEnvironment } from './transports/spawn/environment.ts';
export { type ServerCommand } from './transports/spawn/server-command.ts';
export {
  serverCommand,
  ServerNotStarted,
  type SpawnedServer,
  spawnServer,
} from './transports/spawn/spawn-server.ts';
export { StreamChannel, type StreamOptions } from './transports/stream-channel.ts';
