import { quoted } from './safe-text.ts';

/** Something that does not exist, with its kind and name, so that similar names can be suggested. */
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
   * For a file, the revision that does not have it; undefined for the work tree. For a remote branch, its
   * remote.
   */
  readonly revision?: string | undefined;
  readonly message: string;
}

/** Describes something that does not exist. The message defaults to `No such <kind>: "<name>"`. */
export function missing(
  kind: Missing['kind'],
  name: string,
  { revision, message }: { readonly revision?: string | undefined; readonly message?: string } = {},
): Missing {
  return { kind, name, revision, message: message ?? `No such ${kind}: ${quoted(name)}` };
}
