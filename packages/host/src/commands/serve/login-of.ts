import { messageOf } from '@mcp/kit';
import { login } from '@mcp/login/command-line';
import type { Authorization } from '@mcp/protocol/http';
import { type OptionValues, valueOf } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';

/**
 * The authorization that `--login` asks for; undefined without this option. Throws if it lacks an address.
 */
export async function loginOf(
  options: OptionValues,
  warn: (message: string) => void,
): Promise<Authorization | undefined> {
  const used = Object.keys(login.options).find((name) => options[name] !== undefined);
  if (used === undefined) return undefined;
  const address = valueOf(options, 'http');
  if (address === undefined) throw usageError(`The option --${used} has no effect without --http`);
  const { listenAddressOf } = await import('@mcp/protocol/http');
  const at = listenAddressOf(address);
  if (!at || !('port' in at))
    throw usageError(
      `The option --${used} needs --http with [host:]port; the permissions of a socket protect it`,
    );
  const given = {
    positionals: [],
    flag: (name: string) => options[name] !== undefined,
    values: (name: string) => [valueOf(options, name) ?? []].flat(),
    warn,
    fail: (error: unknown) => warn(messageOf(error)),
  };
  try {
    return await login.open(given, { command: 'mcp-serve', ...at });
  } catch (error) {
    throw usageError(messageOf(error));
  }
}
