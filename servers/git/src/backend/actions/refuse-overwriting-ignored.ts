import { pathsInTheWay } from '../access/path-in-the-way.ts';
import type { Integration, IntegrationOptions } from '../commands/integrate.ts';
import { addedPaths, ignoredAmong } from '../commands/tree-paths.ts';
import { quoted } from '../display-name.ts';
import type { CallOptions, Repository } from '../repository.ts';

const maxNamed = 5;
/** Maximum number of paths in one git command. */
const maxPaths = 1_000;

/** Throws if an operation would write over ignored files, which git overwrites without a word. */
export async function refuseOverwritingIgnored(
  repository: Repository,
  kind: Integration,
  revisions: readonly string[],
  { signal, ...options }: CallOptions & IntegrationOptions,
): Promise<void> {
  const added = await Promise.all(
    revisions.map((revision) => repository.runLocked(addedBy(kind, revision, options), { signal })),
  );
  await refuseIgnored(repository, added.flat(), { signal });
}

/** Throws if ignored files are where an operation would create these paths. */
export async function refuseIgnored(
  repository: Repository,
  added: readonly string[],
  { signal }: CallOptions,
): Promise<void> {
  const { top } = await repository.layout();
  const existing = pathsInTheWay(top, added);
  for (let at = 0; at < existing.length; at += maxPaths) {
    const lost = await repository.runLocked(ignoredAmong(existing.slice(at, at + maxPaths)), { signal });
    if (lost.length === 0) continue;
    const named = lost.slice(0, maxNamed).map(quoted).join(', ') + (lost.length > maxNamed ? ', …' : '');
    throw new Error(`Ignored files would be overwritten: ${named}; move them away first`);
  }
}

function addedBy(kind: Integration, revision: string, { mainline = 1, onto }: IntegrationOptions) {
  const [from, to] = revision.includes('..') ? revision.split('..') : [`${revision}^${mainline}`, revision];
  switch (kind) {
    case 'merge':
      return addedPaths('HEAD', revision, { mergeBase: true });
    case 'rebase':
      return addedPaths('HEAD', onto ?? revision);
    case 'cherry-pick':
      return addedPaths(from!, to!);
    case 'revert':
      return addedPaths(to!, from!);
  }
}
