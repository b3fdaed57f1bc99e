import type { Repository } from '../repository.ts';

/** The names of the remotes that have a URL. */
export async function remoteNames(repository: Repository): Promise<string[]> {
  const settings = await repository.settings();
  return settings.flatMap(({ key }) => /^remote\.(.*)\.url$/s.exec(key)?.[1] ?? []);
}

/** The remote of a name such as `origin/main`; undefined if it does not start with that of a remote. */
export async function remoteOfName(repository: Repository, name: string): Promise<string | undefined> {
  const remotes = (await remoteNames(repository)).filter((remote) => name.startsWith(`${remote}/`));
  return remotes.toSorted((one, other) => other.length - one.length)[0];
}
