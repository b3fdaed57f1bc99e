import { Watcher } from '@mcp/watch';
import { homeDirectory } from '../config/home-directory.ts';
import { Keeper } from './keeper.ts';

/** Keeps servers in this process until it is idle, until a command stops it, or until `signal` aborts. */
export async function keepServers(
  address: string,
  {
    idleMs,
    signal,
    ready,
  }: { readonly idleMs: number; readonly signal: AbortSignal; readonly ready: () => void },
): Promise<void> {
  const watcher = new Watcher();
  const load = { home: homeDirectory(), env: { ...process.env } };
  // Servers get the environment of the commands that use them, so that nothing of this one may remain. PATH
  // is for the shell that ends the servers if this process is killed.
  const names = process.platform === 'win32' ? [] : Object.keys(process.env);
  for (const name of names) if (name !== 'PATH') delete process.env[name];
  // No directory stays in use.
  process.chdir('/');
  const keeper = new Keeper({ address, idleMs, watcher, load });
  await keeper.listen();
  signal.addEventListener('abort', () => void keeper.stop());
  ready();
  await keeper.stopped;
  watcher.close();
}
