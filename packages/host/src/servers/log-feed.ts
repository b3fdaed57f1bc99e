import { EventEmitter } from 'node:events';
import type { LogMessage } from '@mcp/protocol/client';

/** A log message, and the server that sent it. */
export interface ServerLogMessage extends LogMessage {
  readonly server: string;
}

/**
 * Emits the log messages of all servers, and the ends of their connections, for the commands that print them.
 */
export class LogFeed extends EventEmitter<{
  readonly message: [ServerLogMessage];
  readonly closed: [server: string];
}> {}
