import { quoted } from './display-name.ts';

/** The kind and the name of a missing object, so that the nearest names can be found. */
export interface Missing {
  readonly kind:
    | 'branch'
    | 'remote branch'
    | 'tag'
    | 'upstream'
    | 'revision'
    | 'remote'
    | 'stash'
    | 'work tree'
    | 'file';
  readonly name: string;
  /**
   * For a file, the place where it was expected, unless in the work tree; for a remote branch, the remote.
   */
  readonly revision?: string | undefined;
  readonly message: string;
}

/** Describes something that does not exist. */
export function missing(
  kind: Missing['kind'],
  name: string,
  { revision, message }: { readonly revision?: string | undefined; readonly message?: string } = {},
): Missing {
  return { kind, name, revision, message: message ?? `No such ${kind}: ${quoted(name)}` };
}
