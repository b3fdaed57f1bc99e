import type { Servers } from '../servers/servers.ts';

export type ServerResult<T> =
  | { readonly server: string; readonly value: T; readonly error?: undefined }
  | { readonly server: string; readonly value?: undefined; readonly error: Error };

/** Runs `work` for the servers that are named, or for all, at the same time. One that fails does not fail the others. */
export function eachServer<T>(
  names: readonly string[],
  servers: Servers,
  work: (name: string) => Promise<T>,
): Promise<ServerResult<T>[]> {
  const chosen = names.length > 0 ? names : servers.names;
  return Promise.all(
    chosen.map(async (server): Promise<ServerResult<T>> => {
      try {
        return { server, value: await work(server) };
      } catch (error) {
        // The only server that was asked for: the command fails with its error.
        if (names.length === 1) throw error;
        return { server, error: error instanceof Error ? error : new Error(String(error)) };
      }
    }),
  );
}
