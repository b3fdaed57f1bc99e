import type { LogLevel } from '@mcp/protocol';
import type { JsonLog } from '@mcp/protocol/command-line';
import type { ShownLogs } from '../../gateway/gateway-settings.ts';
import type { LogFeed } from '../../servers/log-feed.ts';

/**
 * Passes log messages of the servers behind a gateway on, from `level` up: to the lines of `--log-json` or,
 * without it, to `logs`. None without a level.
 */
export function shownLogsOf(
  level: LogLevel | undefined,
  logs: LogFeed,
  json?: JsonLog,
): ShownLogs | undefined {
  return (
    level && {
      level,
      show(server, message) {
        if (json) json.info('log', { server, ...message });
        else logs.emit('message', { server, ...message });
      },
    }
  );
}
