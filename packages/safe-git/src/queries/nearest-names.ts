import { similarFiles, similarOnRemote, similarRefs } from '../commands/similar-names.ts';
import { listStashes } from '../commands/stash.ts';
import { worktreeList } from '../commands/worktrees.ts';
import { quoted } from '../display-name.ts';
import { remoteNames, remoteOfName } from './remote-of-name.ts';
import { isShallow } from './in-progress-operation.ts';
import { NotFoundError } from '../errors.ts';
import type { Missing } from '../missing.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** The same error; if it names a missing object, its message ends with the nearest names. */
export async function withNearestNames(
  repository: Repository,
  error: NotFoundError,
  call: CallOptions = {},
): Promise<NotFoundError> {
  if (!error.missing) return error;
  // The hint is not worth a second error.
  const hint = await hintFor(repository, error.missing, call).catch(() => '');
  const shallow = error.missing.kind === 'revision' && isShallow(await repository.layout());
  const hints = [error.message, hint, shallow ? 'the history is shallow' : ''].filter(Boolean);
  return new NotFoundError(hints.join('; '), error.code, error.missing);
}

const maxListed = 5;

async function hintFor(repository: Repository, missing: Missing, call: CallOptions): Promise<string> {
  const { kind, name } = missing;
  switch (kind) {
    case 'branch': {
      const remote = await remoteOfName(repository, name);
      if (remote !== undefined) return `${quoted(remote)} is a remote, and this takes local branches`;
      return similar(await repository.run(similarRefs(name, ['refs/heads/']), call));
    }
    case 'tag':
      return similar(await repository.run(similarRefs(name, ['refs/tags/']), call));
    case 'remote branch': {
      const near = similar(await repository.run(similarOnRemote(name, missing.revision ?? ''), call));
      return [near, 'git_fetch finds new ones'].filter(Boolean).join('; ');
    }
    case 'upstream':
      return similar(await repository.run(similarRefs(name, ['refs/remotes/', 'refs/heads/']), call));
    case 'revision':
      return similar(await similarRevisions(repository, name, call));
    case 'file':
      return similar(await repository.run(similarFiles(name, missing.revision), call));
    case 'remote':
      return all('remote', await remoteNames(repository));
    case 'stash':
      return stashHint((await repository.run(listStashes, call)).length);
    case 'work tree': {
      const [, ...linked] = await repository.run(worktreeList, call);
      return all(
        'linked work tree',
        linked.map(({ path }) => path),
      );
    }
  }
}

/** For each name in a revision or range, without `~2` and the like. */
async function similarRevisions(
  repository: Repository,
  revision: string,
  call: CallOptions,
): Promise<string[]> {
  const names = revision.split(/\.{2,3}/).map((end) => end.replace(/(?<=.)[~^@][^]*$/, ''));
  const prefixes = ['refs/heads/', 'refs/tags/', 'refs/remotes/'];
  const found = await Promise.all(
    names
      .filter((name) => name !== '' && name !== 'HEAD')
      .map((name) => repository.run(similarRefs(name, prefixes), call)),
  );
  return [...new Set(found.flat())];
}

function similar(names: readonly string[]): string {
  return names.length === 0 ? '' : `similar names are ${list(names)}`;
}

function all(noun: string, names: readonly string[]): string {
  if (names.length === 0) return `there is no ${noun}`;
  if (names.length === 1) return `the only ${noun} is ${list(names)}`;
  return `the ${noun}s are ${list(names.slice(0, maxListed))}${names.length > maxListed ? ', …' : ''}`;
}

function stashHint(count: number): string {
  if (count === 0) return 'there is no stash';
  return `the ${count === 1 ? 'only one is 0' : `last one is ${count - 1}`}`;
}

function list(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
