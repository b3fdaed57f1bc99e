import { exitCodes, HostError } from '../errors.ts';
import type { Servers } from '../servers/servers.ts';

export type ServerResult<T> =
  | { readonly server: string; readonly value: T; readonly error?: undefined }
  | { readonly server: string; readonly value?: undefined; readonly error: Error };

/**
 * Runs `work` for the named servers (without names, for all servers) at the same time, and calls `done` with
 * each result.
 */
export function eachServer<T>(
  names: readonly string[],
  servers: Servers,
  work: (name: string) => Promise<T>,
  done: (result: ServerResult<T>) => void = () => {},
): Promise<ServerResult<T>[]> {
  const chosen = names.length > 0 ? names : servers.names;
  return Promise.all(
    chosen.map(async (server): Promise<ServerResult<T>> => {
      const result = await resultOf(server, work);
      // If only one server was named, its error is the error of the command.
      if (result.error && names.length === 1) throw result.error;
      done(result);
      return result;
    }),
  );
}

/** The exit code that all errors have in common; `exitCodes.unreachable` if they differ. */
export function exitCodeOf(results: readonly ServerResult<unknown>[]): number {
  const codes = results.flatMap(({ error }) => {
    if (!error) return [];
    return error instanceof HostError ? error.exitCode : exitCodes.unreachable;
  });
  const [code = exitCodes.ok] = codes;
  return codes.every((each) => each === code) ? code : exitCodes.unreachable;
}

async function resultOf<T>(server: string, work: (name: string) => Promise<T>): Promise<ServerResult<T>> {
  try {
    return { server, value: await work(server) };
  } catch (error) {
    return { server, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
