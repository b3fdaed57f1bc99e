import { sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { Stop } from './stop.ts';

/** An event of a directory: an entry was added, removed or replaced (`rename`), or modified (`change`). */
export type DirectoryEvent = 'rename' | 'change';

interface DirectoryCallbacks {
  onEvent: (event: DirectoryEvent | undefined, name: string | undefined) => void;
  onError: (error: Error) => void;
}

/**
 * Watches one directory, without its subdirectories, with one watch of the system. Resolves once every later
 * change is reported.
 * @throws when the system, or chokidar, cannot watch the directory.
 */
export async function watchDirectory(path: string, { onEvent, onError }: DirectoryCallbacks): Promise<Stop> {
  // On all systems, chokidar treats a backslash as a separator, so chokidar would watch another directory.
  if (sep === '/' && path.includes('\\')) throw new Error('its name contains a backslash');

  const watcher = await createQuietWatcher();
  // When it polls, chokidar reports only whether the directory exists, not its events.
  if (watcher.options.usePolling) throw new Error('CHOKIDAR_USEPOLLING is set');

  let failure: Error | undefined;
  let armed = false;
  watcher.on('error', (error) => {
    failure = error as Error;
    if (armed) onError(failure);
  });
  watcher.on('raw', (event, name) => {
    onEvent(
      event === 'rename' || event === 'change' ? event : undefined,
      (name as string | null) ?? undefined,
    );
  });

  await new Promise<void>((ready) => {
    watcher.once('ready', ready);
    watcher.add(path);
  });

  armed = watcher._closers.size > 0;
  if (armed) return () => void watcher.close();
  // If the directory was removed meanwhile, chokidar reports no error and watches the parent instead.
  await watcher.close();
  throw failure ?? Object.assign(new Error('No such directory'), { code: 'ENOENT' });
}

let loading: Promise<() => FSWatcher> | undefined;

async function createQuietWatcher(): Promise<FSWatcher> {
  loading ??= load();
  return (await loading)();
}

/** Loads chokidar at the first watch, because servers must start fast. */
async function load() {
  const chokidar = await import('chokidar');

  class QuietWatcher extends chokidar.FSWatcher {
    // chokidar would stat and watch all entries on every event, unless it has done so just before. False says
    // that it has; only the system's events (`raw`) remain.
    override _throttle() {
      return false as const;
    }
  }

  return () =>
    new QuietWatcher({
      // Without `persistent`, chokidar ignores errors of a watch, which then end the process; with it,
      // watches keep the process alive. Linux has no such errors.
      persistent: process.platform !== 'linux',
      ignoreInitial: true,
      atomic: false,
      depth: 0,
    });
}
