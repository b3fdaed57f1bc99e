// What a compiler would have said to authors who have none.

/** Refuses a definition without its handler. */
export function refuseNoHandler<Name extends 'run' | 'read'>(
  of: string,
  name: Name,
  definition: { readonly [N in Name]: unknown },
): void {
  if (typeof definition[name] !== 'function') throw new Error(`The ${of} needs a \`${name}\`, a function`);
}

/** Refuses what is in a list of a server without having been defined as `define` does. */
export function refuseUndefined(kind: string, item: unknown): void {
  if (typeof item === 'object' && item !== null && 'definition' in item) return;
  const define = `define${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
  throw new Error(`Every ${kind} of a server is made by \`${define}(…)\``);
}

/** Refuses a server that does not say what it is. */
export function refuseNameless({
  name,
  version,
}: {
  readonly name: unknown;
  readonly version: unknown;
}): void {
  if (typeof name === 'string' && typeof version === 'string') return;
  throw new Error('A server needs a `name` and a `version`, both strings');
}
