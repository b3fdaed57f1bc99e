import { refuseSameFiles } from './portable-paths.ts';

/** Digests by the paths of files. */
type Digests = ReadonlyMap<string, string>;

/** What an installation does to the files at its place. */
export interface InstallationPlan {
  /** The files that are written: those of the skill that are not there with the same content. */
  readonly writes: readonly string[];
  /** The files that are deleted: the skill no longer has them, and the user has not changed them. */
  readonly deletes: readonly string[];
  /** The files that stay: those that the user has made or changed. */
  readonly kept: readonly string[];
}

/**
 * Plans an installation, which neither deletes nor overwrites a file of the user. `installed` has the files
 * that were installed before, `wanted` those of the skill, `found` those that are there. Throws an `Error` if
 * a file of the user is where the skill has one.
 */
export function planInstallation(installed: Digests, wanted: Digests, found: Digests): InstallationPlan {
  const isOurs = (path: string) =>
    found.get(path) === wanted.get(path) || found.get(path) === installed.get(path);
  const kept = [...found.keys()].filter((path) => !isOurs(path)).toSorted();
  const taken = kept.filter((path) => wanted.has(path));
  if (taken.length > 0)
    throw new Error(`these files there are new or were changed: ${taken.join(', ')}; move them away`);
  refuseSameFiles([...wanted.keys(), ...kept]);
  return {
    writes: [...wanted.keys()].filter((path) => found.get(path) !== wanted.get(path)),
    deletes: [...found.keys()].filter((path) => !wanted.has(path) && isOurs(path)),
    kept,
  };
}
