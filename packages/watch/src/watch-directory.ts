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
 * Watches one directory, without its subdirectories, with one watch of the operating system. Resolves once
 * the watch is active, so that every later change is reported.
 * @throws when the operating system, or chokidar, cannot watch the directory.
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
  // The watch was not started. If there is no error, the directory was removed in the meantime: chokidar then
  // reports no error, and watches the parent directory instead.
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
    // At every event, chokidar would read all entries of the directory, unless it has done so just before.
    // `false` makes chokidar skip the read, so that only the events of the operating system (`raw`) remain.
    override _throttle() {
      return false as const;
    }
  }

  return () =>
    new QuietWatcher({
      // Without `persistent`, chokidar does not handle the errors of a watch, so such an error ends the
      // process. With `persistent`, watches keep the process alive. So `persistent` is off on Linux, where
      // watches have no such errors.
      persistent: process.platform !== 'linux',
      ignoreInitial: true,
      atomic: false,
      depth: 0,
    });
}
