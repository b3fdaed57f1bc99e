import { type LogLevel, logLevels } from '../define/call.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { LogMessage } from './client-options.ts';

/** Whether the parameters of a notification are a log message. */
export function isLogMessage(params: JsonObject): params is JsonObject & LogMessage {
  const { level, logger } = params;
  return (
    typeof level === 'string' &&
    logLevels.includes(level as LogLevel) &&
    (logger === undefined || typeof logger === 'string')
  );
}
