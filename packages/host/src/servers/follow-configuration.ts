import {
  candidates,
  type Configuration,
  loadConfiguration,
  type LoadOptions,
} from '../config/load-configuration.ts';
import type { ConfigurationChanges, Servers } from './servers.ts';

/** The configuration to follow, and the callbacks for its changes. */
export interface FollowOptions {
  /** The options with which `loadConfiguration` read the configuration. If undefined, no file is watched. */
  readonly load: LoadOptions | undefined;
  /** Called after a changed configuration has added, removed, restarted or adjusted a server. */
  readonly onChange: (changes: ConfigurationChanges, configuration: Configuration) => void;
  /**
   * Called with each new problem of a configuration file, such as a syntax error. The servers of this file
   * stay as they were.
   */
  readonly onWarning: (message: string) => void;
}

/**
 * Watches the configuration files, and reloads the servers when a file changes, appears or disappears.
 * Returns a function that ends the watch. If the files cannot be watched, calls `onWarning`, and the servers
 * stay as they are.
 * @example
 * ```ts
 * import { followConfiguration, openServers } from '@mcp/host';
 *
 * const load = { files: ['mcp.json'] };
 * await using servers = await openServers({ load });
 * const stop = await followConfiguration(servers, {
 *   load,
 *   onChange: ({ restarted }) => console.log(restarted),
 *   onWarning: console.error,
 * });
 * stop();
 * ```
 */
export async function followConfiguration(servers: Servers, options: FollowOptions): Promise<() => void> {
  const { load, onWarning } = options;
  if (!load) return () => {};
  try {
    return await follow(servers, { ...options, load });
  } catch (error) {
    onWarning(
      `Changes of the configuration take effect only at the next start, because its files cannot be watched: ${String(error)}`,
    );
    return () => {};
  }
}

async function follow(
  servers: Servers,
  { load, onChange, onWarning }: FollowOptions & { readonly load: LoadOptions },
): Promise<() => void> {
  const { Watcher } = await import('@mcp/watch');
  const watcher = new Watcher({ onWarning });
  let last = Promise.resolve();
  let problems: string | undefined;
  const reload = async () => {
    const configuration = await loadConfiguration(load);
    const messages = configuration.problems.map(({ error }) => error.message).join('\n');
    // Problems of the first reading are not reported again: they were reported when the configuration was
    // loaded.
    if (problems !== undefined && messages !== '' && messages !== problems) onWarning(messages);
    problems = messages;
    const changes = await servers.reload(configuration);
    if (Object.values(changes).some((names: readonly string[]) => names.length > 0))
      onChange(changes, configuration);
  };
  const next = () => (last = last.then(reload, reload));
  const paths = new Set(candidates(load).map(({ path }) => path));
  await Promise.all(Array.from(paths, (path) => watcher.watch(path, next)));
  // Reads the files once more: a file may have changed between its loading and the start of the watch.
  await next();
  return () => watcher.close();
}
