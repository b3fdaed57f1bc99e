const usage =
  'search_text takes text literally unless regex; a glob without / matches at any depth. Searches skip .git, ' +
  'node_modules and ignored files unless includeIgnored. Lines in answers are number, tab, text; ';
const cuts = 'A cut answer names the argument for the rest.';
const changing =
  'edit_file takes oldText without line numbers; count: 0 replaces all, with glob in many files.';

/** Maximum number of allowed directories after the first that the instructions name. */
const maxNamed = 4;

/** Returns the instructions for models: 400 to 600 bytes with usual names of directories. */
export function instructionsFor(
  [first, ...others]: readonly string[],
  {
    keeps,
    readOnly,
    numbered,
  }: { readonly keeps: boolean; readonly readOnly: boolean; readonly numbered: boolean },
): string {
  const reads = numbered ? 'every read numbers lines. ' : 'reads number lines with offset or limit. ';
  const reading = `${placesOf(first, others)} ${usage}${reads}${cuts}`;
  if (readOnly) return reading;
  const undo = keeps
    ? 'restore_file undoes every change, by the id after "Undo:".'
    : 'If one call undoes a change, the answer names it after "Undo:"; deleted or replaced content is lost.';
  return `${reading} ${changing} ${undo}`;
}

function placesOf(first: string | undefined, others: readonly string[]): string {
  if (first === undefined)
    return 'Only the roots of the client are allowed; list_allowed_directories names them. Paths are absolute or relative to the first.';
  const named = others.slice(0, maxNamed).join(', ');
  const more = others.length > maxNamed ? `, and ${others.length - maxNamed} more` : '';
  const further = others.length > 0 ? ` Others are ${named}${more}.` : '';
  return `Paths are absolute or relative to the first allowed directory, ${first} unless the client has roots inside it.${further}`;
}
