import type { Submodule, SubmoduleUpdate } from '../actions/remotes/submodules.ts';
import { escapeName, listedPath } from '../safe-text.ts';
import { countText } from './count-text.ts';
import { shownUrl } from './list-lines.ts';

/** A submodule in one line: its path, expected commit, state and URL. */
export function submoduleLine({ path, expected, commit, changes, url }: Submodule): string {
  const at =
    commit === undefined
      ? 'not cloned'
      : commit === expected
        ? 'checked out'
        : `is at ${commit.slice(0, 10)}`;
  const dirty = changes === 0 ? '' : `, ${countText(changes, 'changed file')}`;
  return `${listedPath(path)} ${expected.slice(0, 10)} ${at}${dirty}${url === undefined ? '' : ` [${shownUrl(url)}]`}`;
}

/**
 * Returns one line: what was done with a submodule, the commit that it is at, and the commit that it was at.
 */
export function submoduleUpdateLine({ path, done, before, now, left }: SubmoduleUpdate): string {
  const was = before === undefined || done === 'unchanged' ? '' : `, was at ${before.slice(0, 10)}`;
  const lost =
    left === undefined
      ? ''
      : `, a commit that is on no branch of the submodule: git_create_branch in the submodule keeps it`;
  return `${escapeName(listedPath(path))} ${done}, at ${now.slice(0, 10)}${was}${lost}`;
}
