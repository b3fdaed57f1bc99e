const usage =
  'search_text takes text literally unless regex; a glob without / matches at any depth. Searches skip .git, ' +
  'node_modules and ignored files unless includeIgnored. Lines in answers are number, tab, text; ';
const cuts = 'A cut answer names the argument for the rest.';
const changing =
  'edit_file takes oldText without line numbers; count: 0 replaces all, with glob in many files.';

/** Maximum number of allowed directories that the instructions name. */
const maxNamed = 5;
const maxBytes = 800;

interface Facts {
  readonly keeps: boolean;
  readonly readOnly: boolean;
  readonly numbered: boolean;
}

/**
 * Returns the instructions for models: 400 to 600 bytes with usual names of directories, and at most 800.
 * They name as many of the allowed directories as fit.
 */
export function instructionsFor(directories: readonly string[], facts: Facts): string {
  for (let named = Math.min(directories.length, maxNamed); named > 0; named--) {
    const text = textOf(placesOf(directories, named), facts);
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  return textOf(placesOf(directories, 0), facts);
}

function textOf(places: string, { keeps, readOnly, numbered }: Facts): string {
  const reads = numbered ? 'every read numbers lines. ' : 'reads number lines with offset or limit. ';
  const reading = `${places} ${usage}${reads}${cuts}`;
  if (readOnly) return reading;
  const undo = keeps
    ? 'restore_file undoes every change, by the id after "Undo:".'
    : 'If one call undoes a change, the answer names it after "Undo:"; deleted or replaced content is lost.';
  return `${reading} ${changing} ${undo}`;
}

function placesOf(directories: readonly string[], named: number): string {
  if (directories.length === 0)
    return 'Only the roots of the client are allowed; list_allowed_directories names them. Paths are absolute or relative to the first.';
  if (named === 0)
    return 'Paths are absolute or relative to the first allowed directory; list_allowed_directories names all.';
  const [first, ...others] = directories.slice(0, named);
  const left = directories.length - named;
  const more = left > 0 ? [`${left} more that list_allowed_directories names`] : [];
  const last =
    others.length > 0 && left > 0 ? `${others.join(', ')}, and ${more[0]}` : [...others, ...more].join(', ');
  const further = last === '' ? '' : ` Others are ${last}.`;
  return `Paths are absolute or relative to the first allowed directory, ${first} unless the client has roots inside it.${further}`;
}
