import { sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { Stop } from './stop.ts';

/** What a directory says: an entry of this name came or went (`rename`), or is no longer the same (`change`). */
export type DirectoryEvent = 'rename' | 'change';

interface Ears {
  heard: (event: DirectoryEvent | undefined, name: string | undefined) => void;
  failed: (error: Error) => void;
}

/** Listens to one directory with one watch of the system, and resolves once it hears every change. */
export async function watchDirectory(path: string, { heard, failed }: Ears): Promise<Stop> {
  // chokidar takes a backslash for a separator everywhere, and would watch another directory.
  if (sep === '/' && path.includes('\\')) throw new Error('A backslash in the name');

  const watcher = await quietWatcher();
  // It polls only whether the directory itself is there.
  if (watcher.options.usePolling) throw new Error('chokidar is told to poll');

  let failure: Error | undefined;
  let armed = false;
  watcher.on('error', (error) => {
    failure = error as Error;
    if (armed) failed(failure);
  });
  watcher.on('raw', (event, name) => {
    heard(event === 'rename' || event === 'change' ? event : undefined, (name as string | null) ?? undefined);
  });

  await new Promise<void>((ready) => {
    watcher.once('ready', ready);
    watcher.add(path);
  });

  armed = watcher._closers.size > 0;
  if (armed) return () => void watcher.close();
  // chokidar is silent about a directory that went away meanwhile, and turns to the one above it.
  await watcher.close();
  throw failure ?? Object.assign(new Error('No such directory'), { code: 'ENOENT' });
}

let loading: Promise<() => FSWatcher> | undefined;

async function quietWatcher(): Promise<FSWatcher> {
  loading ??= load();
  return (await loading)();
}

/** Loads chokidar at the first watch, not before: servers must start fast. */
async function load() {
  const chokidar = await import('chokidar');

  class QuietWatcher extends chokidar.FSWatcher {
    // Every event makes chokidar stat all entries of the directory, and set a watch on each. It asks here first
    // whether it has done so lately; always yes, so only the events themselves (`raw`) are left.
    override _throttle() {
      return false as const;
    }
  }

  return () =>
    new QuietWatcher({
      // Without `persistent`, chokidar does not hear a watch's errors, and an unheard error ends the process;
      // with it, open watches keep the process alive. Linux has no such errors.
      persistent: process.platform !== 'linux',
      ignoreInitial: true,
      atomic: false,
      depth: 0,
    });
}
