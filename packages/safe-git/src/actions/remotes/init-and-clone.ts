import { existsSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { assertLocalRemoteAllowed } from '../../trust/check-local-remote.ts';
import { outputOverrides, overridesAsEnvironment, safeOverrides } from '../../trust/config-overrides.ts';
import { listSettings } from '../../trust/git-config.ts';
import type { GitContext } from '../../trust/git-context.ts';
import { inspect } from '../../trust/inspect.ts';
import { newDirectory } from '../../access/new-directory.ts';
import { parseRemoteUrl } from '../../access/remote-url.ts';
import type { Command } from '../../command.ts';
import { clone, init, type CloneOptions } from '../../commands/refs/remotes.ts';
import { commandError } from '../../errors.ts';
import { progressReader } from '../../process/progress.ts';
import type { Repositories } from '../../repositories.ts';
import type { CallOptions, Repository } from '../../repository.ts';

export async function initRepository(
  repositories: Repositories,
  path: string,
  branch: string | undefined,
  call: CallOptions,
): Promise<Repository> {
  return create(repositories, path, (directory) => init(directory, branch), call);
}

export async function cloneRepository(
  repositories: Repositories,
  { url, path, branch, depth }: { url: string; path: string } & Pick<CloneOptions, 'branch' | 'depth'>,
  call: CallOptions,
): Promise<Repository> {
  const { allowed, context } = repositories;
  const location = parseRemoteUrl(url, allowed);
  const remoteSide = { local: location.local, trusted: context.trust };
  if (location.local) await assertLocalRemoteAllowed(context, location.path);
  const from = location.local ? pathToFileURL(location.path).href : url;
  return create(
    repositories,
    path,
    (directory) => clone({ url: from, directory, branch, depth, remoteSide }),
    call,
  );
}

/**
 * Runs a command that creates a repository at `path`. If the command fails, removes the new directory. A
 * concurrent call for the same path waits, and then throws if the directory is no longer empty.
 */
async function create(
  repositories: Repositories,
  path: string,
  command: (directory: string) => Command<void>,
  call: CallOptions,
): Promise<Repository> {
  const { context, allowed } = repositories;
  if (context.readOnly) throw new Error('The repositories are read-only');
  return context.writeQueue.run(allowed.newPath(path), async () => {
    const directory = newDirectory(allowed, path);
    await runOutside(context, directory, command(directory), call);
    return repositories.at(directory);
  });
}

/** Runs a command that needs no repository, such as `git init`. */
async function runOutside(
  context: GitContext,
  directory: string,
  command: Command<void>,
  { signal, progress }: CallOptions,
): Promise<void> {
  const absent = !existsSync(directory);
  try {
    const output = await context.program.run({
      args: command.args,
      cwd: context.allowed.directories[0]!,
      env: await environment(context, command.kind === 'remote'),
      signal,
      writes: true,
      timeoutMs: context.timeouts.cloneMs,
      maxBytes: 1024 * 1024,
      onStderrLine: progress && progressReader(progress),
    });
    if (output.code !== 0) throw commandError(command, output);
  } catch (error) {
    if (absent) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function environment(context: GitContext, remote: boolean) {
  const { environments, allowed, trust, allowRemote } = context;
  const protocols = { GIT_ALLOW_PROTOCOL: remote && allowRemote ? 'https:http:ssh:git:file' : '' };
  if (trust) return { ...environments.trusted, ...overridesAsEnvironment(outputOverrides), ...protocols };
  // The working directory may be inside another repository. The local settings of that repository do not
  // apply to `git init` or `git clone`, so only global and system settings are read.
  const { stdout } = await inspect(context, listSettings.args, allowed.directories[0]!);
  const settings = listSettings.parse(stdout).filter(({ scope }) => scope === 'global' || scope === 'system');
  return {
    ...environments.untrusted,
    ...(remote && environments.remote),
    ...protocols,
    ...overridesAsEnvironment(safeOverrides(settings, { remote })),
  };
}
