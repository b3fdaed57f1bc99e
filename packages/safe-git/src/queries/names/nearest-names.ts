import { similarFiles, similarOnRemote, similarRefs } from '../../commands/refs/similar-names.ts';
import { listStashes } from '../../commands/work-tree/stash.ts';
import { worktreeList } from '../../commands/work-tree/worktrees.ts';
import { quoted, shortList } from '../../safe-text.ts';
import { remoteNames, remoteOfName } from './remotes.ts';
import { isShallow } from '../operation/in-progress-operation.ts';
import { NotFoundError } from '../../errors.ts';
import type { Missing } from '../../missing.ts';
import type { Repository } from '../../repository.ts';

/** Adds the most similar names to the message of an error about something that does not exist. */
export async function withNearestNames(repository: Repository, error: NotFoundError): Promise<NotFoundError> {
  if (!error.missing) return error;
  // If the search for similar names fails, the error is returned without them.
  const hint = await hintFor(repository, error.missing).catch(() => '');
  const shallow = error.missing.kind === 'revision' && isShallow(await repository.layout());
  const message = joined(error.message, hint, shallow ? 'the history is shallow' : '');
  return new NotFoundError(message, error.missing);
}

async function hintFor(repository: Repository, missing: Missing): Promise<string> {
  const { kind, name } = missing;
  switch (kind) {
    case 'branch': {
      const remote = await remoteOfName(repository, name);
      if (remote !== undefined) return `${quoted(remote)} is a remote, and only local branches are accepted`;
      return similar(await repository.run(similarRefs(name, ['refs/heads/'])));
    }
    case 'tag':
      return similar(await repository.run(similarRefs(name, ['refs/tags/'])));
    case 'remote branch':
      return joined(
        similar(await repository.run(similarOnRemote(name, missing.revision ?? ''))),
        'a fetch finds new branches',
      );
    case 'upstream':
      return similar(await repository.run(similarRefs(name, ['refs/remotes/', 'refs/heads/'])));
    case 'revision':
      return similar(await similarRevisions(repository, name));
    case 'file':
      return joined(
        similar(await repository.run(similarFiles(name, missing.revision))),
        /\\u\{|\\[nrt\\]/.test(name)
          ? 'write the characters of a path as they are, without escapes such as \\n'
          : '',
      );
    case 'remote':
      return all('remote', await remoteNames(repository));
    case 'stash':
      return stashHint((await repository.run(listStashes)).length);
    case 'work tree': {
      const [, ...linked] = await repository.run(worktreeList);
      return all(
        'linked work tree',
        linked.map(({ path }) => path),
      );
    }
  }
}

/** Returns similar names for each name in a revision or range. Suffixes such as `~2` are cut off first. */
async function similarRevisions(repository: Repository, revision: string): Promise<string[]> {
  const names = revision.split(/\.{2,3}/).map((end) => end.replace(/(?<=.)[~^@][^]*$/, ''));
  const prefixes = ['refs/heads/', 'refs/tags/', 'refs/remotes/'];
  const found = await Promise.all(
    names
      .filter((name) => name !== '' && name !== 'HEAD')
      .map((name) => repository.run(similarRefs(name, prefixes))),
  );
  return [...new Set(found.flat())];
}

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join('; ');
}

function similar(names: readonly string[]): string {
  return names.length === 0 ? '' : `similar names are ${shortList(names)}`;
}

function all(noun: string, names: readonly string[]): string {
  if (names.length === 0) return `there is no ${noun}`;
  if (names.length === 1) return `the only ${noun} is ${shortList(names)}`;
  return `the ${noun}s are ${shortList(names)}`;
}

function stashHint(count: number): string {
  if (count === 0) return 'there is no stash';
  return count === 1 ? 'the only stash is 0' : `the last stash is ${count - 1}`;
}
