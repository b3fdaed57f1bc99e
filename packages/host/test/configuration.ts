import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { onTestFinished } from 'vitest';
import { loadConfiguration, type LoadOptions } from '../src/config/load-configuration.ts';

/**
 * A home directory and a project with these files; keys that begin with `~/` are below the home directory.
 */
export async function configuration(files: Record<string, unknown>, options: LoadOptions = {}) {
  const directory = new TemporaryDirectory('host-config');
  onTestFinished(() => directory[Symbol.dispose]());
  const home = join(directory.base, 'home');
  for (const [path, content] of Object.entries(files)) {
    const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(directory.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  const loaded = await loadConfiguration({
    home,
    cwd: directory.root,
    env: {},
    platform: 'linux',
    ...options,
  });
  return { ...loaded, home, cwd: directory.root };
}

export type Loaded = Awaited<ReturnType<typeof configuration>>;

export function named(loaded: Loaded, name: string) {
  const found = loaded.servers.find((server) => server.name === name);
  if (!found)
    throw new Error(`No server "${name}" among: ${loaded.servers.map((each) => each.name).join(', ')}`);
  return found;
}
