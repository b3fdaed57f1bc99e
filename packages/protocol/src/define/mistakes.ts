// Checks for authors who write plain JavaScript and so have no compiler. Each function throws an `Error` for
// a mistake.

export function refuseNoName(of: string, name: unknown): void {
  if (typeof name !== 'string' || name === '') throw new Error(`The ${of} needs a \`name\`, a string`);
}

export function refuseToolName(name: unknown): void {
  if (typeof name === 'string' && /^[\w.-]{1,128}$/.test(name)) return;
  throw new Error(`Invalid name of a tool: ${JSON.stringify(name)}; expected 1 to 128 of A-Z a-z 0-9 _ - .`);
}

export function refuseNoHandler<Name extends 'run' | 'read'>(
  of: string,
  name: Name,
  definition: { readonly [N in Name]: unknown },
): void {
  if (typeof definition[name] !== 'function') throw new Error(`The ${of} needs a \`${name}\`, a function`);
}

/** Refuses an item of a server's list that was not made by its `define…` function. */
export function refuseUndefined(kind: string, item: unknown): void {
  if (typeof item === 'object' && item !== null && 'definition' in item) return;
  const define = `define${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
  throw new Error(`Every ${kind} of a server must be made by \`${define}(…)\``);
}

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

export function refuseNoContext({ context }: { readonly context?: unknown }): void {
  if (context === undefined || typeof context === 'function') return;
  if (typeof context === 'object' && context !== null) return;
  throw new Error('The `context` of a server must be an object, or a function that returns a promise of one');
}

/** Refuses an element of `mounts` that is a server: its author must pass the server to `mount` first. */
export function refuseUnmounted(mounts: readonly object[]): void {
  if (mounts.some((each) => 'definition' in each))
    throw new Error('Every element of `mounts` must be made by `mount(…)`, as in `mounts: [mount(server)]`');
}
