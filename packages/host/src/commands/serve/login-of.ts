import { messageOf } from '@mcp/kit';
import { login } from '@mcp/login/command-line';
import type { Authorization } from '@mcp/protocol/http';
import { type OptionValues, valueOf } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';
import { listenAt } from './listen-at.ts';

/** The authorization that `--login` asks for; undefined without this option. */
export async function loginOf(
  options: OptionValues,
  warn: (message: string) => void,
): Promise<Authorization | undefined> {
  if (!Object.keys(login.options).some((name) => options[name] !== undefined)) return undefined;
  // Loaded only here, because most gateways have no login.
  const { openAuthorization } = await import('@mcp/protocol/command-line');
  const address = valueOf(options, 'http');
  const given = {
    positionals: [],
    flag: (name: string) => options[name] !== undefined,
    values: (name: string) => [valueOf(options, name) ?? []].flat(),
    warn,
    fail: (error: unknown) => warn(messageOf(error)),
  };
  try {
    const { at, token } = address === undefined ? {} : await listenAt(address, options);
    return await openAuthorization(login, { command: 'mcp-serve', at, given, token });
  } catch (error) {
    throw usageError(messageOf(error));
  }
}
