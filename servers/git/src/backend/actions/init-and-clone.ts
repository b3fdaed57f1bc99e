import { existsSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Command } from '../command.ts';
import { clone, init, type CloneOptions } from '../commands/remotes.ts';
import { failureOf } from '../errors.ts';
import { admitFarEnd } from '../access/check-local-remote.ts';
import { look } from '../access/inspect.ts';
import { newPlace } from '../access/new-directory.ts';
import { outputOverrides, overridesAsEnvironment, safeOverrides } from '../access/config-overrides.ts';
import { progressReader } from '../progress.ts';
import { remoteAddress } from '../access/remote-url.ts';
import type { Repositories } from '../repositories.ts';
import type { Caller, Repository, World } from '../repository.ts';
import { listSettings } from '../access/git-config.ts';

/** Makes an empty repository. */
export async function initialize(
  repositories: Repositories,
  path: string,
  branch: string | undefined,
  caller: Caller,
): Promise<Repository> {
  return make(repositories, path, (place) => init(place, branch), caller);
}

/** Copies a repository from a remote. */
export async function cloneFrom(
  repositories: Repositories,
  { url, path, branch, depth }: { url: string; path: string } & Pick<CloneOptions, 'branch' | 'depth'>,
  caller: Caller,
): Promise<Repository> {
  const { bound, world } = repositories;
  const address = remoteAddress(url, bound);
  const farEnd = { local: address.local, trusted: world.trust };
  if (address.local) await admitFarEnd(world, address.path);
  const from = address.local ? pathToFileURL(address.path).href : url;
  return make(
    repositories,
    path,
    (directory) => clone({ url: from, directory, branch, depth, farEnd }),
    caller,
  );
}

/**
 * Runs git where there is no repository yet; what fails leaves nothing behind. Of two at the same path, the second
 * finds what the first has made.
 */
async function make(
  repositories: Repositories,
  path: string,
  command: (place: string) => Command<void>,
  caller: Caller,
): Promise<Repository> {
  const { world, bound } = repositories;
  if (world.readOnly) throw new Error('Nothing may be changed, the server is read-only');
  return world.writes.run(bound.place(path), async () => {
    const place = newPlace(bound, path);
    await runAt(world, place, command(place), caller);
    return repositories.at(place);
  });
}

async function runAt(
  world: World,
  place: string,
  command: Command<void>,
  { signal, progress }: Caller,
): Promise<void> {
  const fresh = !existsSync(place);
  try {
    const output = await world.program.run({
      args: command.args,
      cwd: world.bound.directories[0]!,
      env: await environment(world, command.kind === 'remote'),
      signal,
      timeoutMs: world.timeouts.cloneMs,
      maxBytes: 1024 * 1024,
      said: progress && progressReader(progress),
    });
    if (output.code !== 0) throw failureOf(command, output);
  } catch (error) {
    if (fresh) rmSync(place, { recursive: true, force: true });
    throw error;
  }
}

async function environment(world: World, remote: boolean) {
  const { environments, bound, trust, allowRemote } = world;
  const protocols = { GIT_ALLOW_PROTOCOL: remote && allowRemote ? 'https:http:ssh:git:file' : '' };
  if (trust) return { ...environments.trusted, ...overridesAsEnvironment(outputOverrides), ...protocols };
  // Of the configuration there, only what the operator has set counts.
  const { stdout } = await look(world, listSettings.args, bound.directories[0]!);
  const settings = listSettings.parse(stdout).filter(({ scope }) => scope === 'global' || scope === 'system');
  return {
    ...environments.untrusted,
    ...(remote && environments.remote),
    ...protocols,
    ...overridesAsEnvironment(safeOverrides(settings, { remote })),
  };
}
