import type { Caller } from '../define/caller.ts';
import type { Server } from '../define/server.ts';
import type { ServeOptions } from '../server/serve.ts';
import type { StreamOptions } from '../transports/stream-channel.ts';
import { serveProcess } from './serve-process.ts';

/**
 * Serves one client on the stdin and stdout of this process, until stdin ends or on SIGTERM, SIGINT or
 * SIGHUP; running requests are answered first. Other output to stdout goes to stderr. Once this promise has
 * resolved, the process exits within `graceMs`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { serveStdio } from '@mcp/protocol/stdio';
 *
 * await serveStdio(defineServer({ name: 'example', version: '1.0.0' }));
 * ```
 */
export function serveStdio<Who extends Caller | undefined = undefined>(
  server: Server<NoInfer<Who>>,
  options: ServeOptions<Who> & StreamOptions = {},
): Promise<void> {
  return serveProcess(server, options);
}
