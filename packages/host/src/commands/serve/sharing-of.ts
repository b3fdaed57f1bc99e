import { messageOf } from '@mcp/kit';
import type { Sharing } from '@mcp/protocol/command-line';
import { type OptionValues, valueOf } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';

const install = 'npx -y -p @mcp/host -p @mcp/redis mcp serve --http 8080 --redis redis://…';

/** What `--redis`, or the environment, says that this gateway shares; nothing without them. */
export async function sharingOf(
  options: OptionValues,
  warn: (message: string) => void,
): Promise<AsyncDisposable & { readonly shared: Sharing | undefined }> {
  const given = valueOf(options, 'redis');
  const isHttp = options['http'] !== undefined;
  if (given !== undefined && !isHttp)
    throw usageError('--redis needs --http: over stdio, one process serves one client');
  const url = given ?? process.env['MCP_REDIS_URL'];
  // The servers of the gateway need not know the password.
  delete process.env['MCP_REDIS_URL'];
  const shared = isHttp && url !== undefined && url !== '' ? await opened(url, warn) : undefined;
  return { shared, [Symbol.asyncDispose]: async () => shared?.store.close() };
}

async function opened(url: string, warn: (message: string) => void): Promise<Sharing> {
  // Loaded only here, because few gateways share anything.
  const { openSharing } = await import('@mcp/protocol/command-line');
  try {
    return await openSharing(url, { command: 'mcp-serve', install, allowed: [], warn });
  } catch (error) {
    throw usageError(messageOf(error));
  }
}
