import type { ListenAddress } from '@mcp/protocol/http';
import { type OptionValues, valueOf } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';

/** Reads the value of `--http`, and the token that clients must send. Throws for a wrong address. */
export async function listenAt(
  address: string,
  options: OptionValues,
): Promise<{ readonly at: ListenAddress; readonly token: string | undefined }> {
  const { listenAddressOf } = await import('@mcp/protocol/http');
  const at = listenAddressOf(address);
  if (!at) throw usageError(`Invalid --http: "${address}"; expected [host:]port or unix:path`);
  return { at, token: valueOf(options, 'token') ?? process.env['MCP_TOKEN'] };
}
