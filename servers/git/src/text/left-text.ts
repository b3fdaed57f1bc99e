/** How to keep the commits that a detached HEAD has left; empty without such commits. */
export function leftText(commit: string | undefined): string {
  if (commit === undefined) return '';
  return `; HEAD was at ${commit.slice(0, 10)}, which no branch has: git_create_branch with it as base_branch keeps it`;
}
