import { type Call, defineResource, type ResourceCall } from '@mcp/protocol';
import type * as safeGit from '@mcp/safe-git';
import type { Aspect, Repository } from '@mcp/safe-git';
import type { Git } from '../context.ts';
import { completeRepository, readIn, uriOf, watchIn } from './repository-uri.ts';

interface RepositoryResourceOptions {
  /** The rest of the URI template, after `git://{repository}/`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Defaults to `text/plain`. */
  readonly mimeType?: string;
  /** The name of the resource in lists, after that of the repository; defaults to the title in lower case. */
  readonly noun?: string;
  /** The part of the repository for whose changes subscribers are notified. */
  readonly aspect: Aspect;
  /** Gets the package that reads repositories, which is loaded with the first read. */
  readonly read: (
    repository: Repository,
    git: typeof safeGit,
    variables: { readonly [name: string]: string | undefined },
  ) => Promise<string>;
}

/** Lists the resource of each repository, and notifies subscribers of its changes. */
export function repositoryResource(options: RepositoryResourceOptions) {
  const { path, title, description, mimeType = 'text/plain', aspect, read } = options;
  const { noun = title.toLowerCase() } = options;
  const place = path.replace(/\{.*$/, '');
  return defineResource({
    uri: `git://{repository}/${path}` as string,
    name: place.replace('/', '-'),
    title,
    description,
    mimeType,
    read: ({ repository = '', ...variables }, { context: git, uri }: ResourceCall<Git>) =>
      readIn(uri, repository, git, async (found) => read(found, await import('@mcp/safe-git'), variables)),
    watch: ({ repository = '' }, changed, { context: git, uri }: ResourceCall<Git>) =>
      watchIn(uri, repository, git, aspect, changed),
    list: (call: Call<Git>) =>
      call.context.repositories.listed.map((each) => ({
        uri: uriOf(each, place),
        name: `${each.name}: ${noun}`,
        mimeType,
      })),
    complete: { repository: completeRepository },
  });
}
