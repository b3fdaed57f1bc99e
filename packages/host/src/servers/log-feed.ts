import { EventEmitter } from 'node:events';
import type { LogMessage } from '@mcp/protocol/client';

export interface ServerLogMessage extends LogMessage {
  readonly server: string;
}

/** Emits all servers' log messages, and the ends of their connections, for the commands that print them. */
export class LogFeed extends EventEmitter<{
  readonly message: [ServerLogMessage];
  readonly closed: [server: string];
}> {}
