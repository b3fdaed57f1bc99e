import type { ListenAddress } from '../http/adapters/listen.ts';
import type { Authorization } from '../http/security/authorization.ts';
import type { Given, ProgramOptions } from './options.ts';

/** A way to authorize the clients of a program over HTTP, such as `login` of `@mcp/login/command-line`. */
export interface ProgramAuthorization {
  /** Its options, by their names without `--`. Without `--http`, they are refused. */
  readonly options: ProgramOptions;
  /**
   * Makes the authorization, before the server is made; undefined if its options are not given. An error that
   * it throws is printed, and the program exits with 2.
   */
  open(given: Given, program: ListeningProgram): Promise<Authorization | undefined>;
}

/** A program that is about to listen. */
export interface ListeningProgram {
  /** The name of its command. */
  readonly command: string;
  /** The address of `--http`; the port 0 is any free one. */
  readonly host: string;
  readonly port: number;
}

/** Where a program is about to listen, and what it was given. */
export interface AuthorizedListening {
  readonly command: string;
  /** Undefined for a program over stdio. */
  readonly at: ListenAddress | undefined;
  readonly given: Given;
  /** The token of `--token`. */
  readonly token?: string | undefined;
}

/**
 * Opens the authorization of a program that `runProgram` does not run; undefined if its options are not
 * given. Throws an `Error` if they are given without a host and port to listen on, or beside a token.
 * @example
 * ```ts
 * import { openAuthorization, type ProgramAuthorization } from '@mcp/protocol/command-line';
 *
 * const none: ProgramAuthorization = { options: {}, open: async () => undefined };
 * const { error } = console;
 * const given = { positionals: [], flag: () => false, values: () => [], warn: error, fail: error };
 * await openAuthorization(none, { command: 'example', at: { host: '127.0.0.1', port: 8080 }, given });
 * ```
 */
export async function openAuthorization(
  authorization: ProgramAuthorization,
  { command, at, given, token }: AuthorizedListening,
): Promise<Authorization | undefined> {
  const used = Object.keys(authorization.options).find((name) => given.flag(name));
  if (used !== undefined && !at) throw new Error(`The option "--${used}" has no effect without --http`);
  if (used !== undefined && at && !('port' in at))
    throw new Error(
      `The option "--${used}" needs --http with [host:]port; the permissions of a socket protect it`,
    );
  const opened = at && 'port' in at ? await authorization.open(given, { command, ...at }) : undefined;
  if (opened && token !== undefined)
    throw new Error('Clients cannot both log in and send a token: leave out --token, and unset MCP_TOKEN');
  return opened;
}
