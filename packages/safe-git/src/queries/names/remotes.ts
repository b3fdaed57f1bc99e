import type { Repository } from '../../repository.ts';

export interface Remote {
  readonly name: string;
  readonly url: string;
}

export async function remotesOf(repository: Repository): Promise<Remote[]> {
  const settings = await repository.settings();
  const urls = settings.flatMap(({ key, value }) => {
    const [, name] = /^remote\.(.*)\.url$/s.exec(key) ?? [];
    return name === undefined ? [] : [{ name, url: value ?? '' }];
  });
  return urls.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export async function remoteNames(repository: Repository): Promise<string[]> {
  return (await remotesOf(repository)).map(({ name }) => name);
}

/**
 * Returns the remote of a name such as `origin/main`; undefined if the name does not begin with the name of a
 * remote.
 */
export async function remoteOfName(repository: Repository, name: string): Promise<string | undefined> {
  const remotes = (await remoteNames(repository)).filter((remote) => name.startsWith(`${remote}/`));
  return remotes.toSorted((one, other) => other.length - one.length)[0];
}
