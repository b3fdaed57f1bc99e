import type { ServerLogMessage } from '../servers/log-feed.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';

/** A log message on one line, without control sequences. */
export function logText({ server, level, logger, data }: ServerLogMessage): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return sanitizeLine([server, level, logger, text].filter((each) => each !== undefined).join(' '));
}
