const usage =
  'search_text takes text literally unless regex; a glob without / matches at any depth. Searches skip .git, ' +
  'node_modules and ignored files unless includeIgnored. Lines in answers are number, ' +
  'tab, text; a read has numbers with offset or limit, and a cut names the argument that continues.';
const changing = 'edit_file takes oldText without line numbers; count: 0 renames, with glob in many files.';

/** The maximum number of further directories that are named. */
const maxNamed = 4;

/** Returns what a model is told of the server, 400 to 600 bytes with usual names of directories. */
export function instructionsFor(
  [first, ...others]: readonly string[],
  { keeps, readOnly }: { readonly keeps: boolean; readonly readOnly: boolean },
): string {
  if (readOnly) return `${placesOf(first, others)} ${usage}`;
  const undo = keeps
    ? 'restore_file undoes every change, by the id after "Undo:".'
    : 'Answers end with the undo, if there is one: deleted or replaced content is lost.';
  return `${placesOf(first, others)} ${usage} ${changing} ${undo}`;
}

function placesOf(first: string | undefined, others: readonly string[]): string {
  if (first === undefined)
    return 'Only the roots of the client are allowed; list_allowed_directories names them. Paths are absolute or relative to the first.';
  const named = others.slice(0, maxNamed).join(', ');
  const more = others.length > maxNamed ? `, and ${others.length - maxNamed} more` : '';
  const further = others.length > 0 ? ` Others are ${named}${more}.` : '';
  return `Paths are absolute or relative to the first allowed directory, ${first} unless the client has roots inside it.${further}`;
}
