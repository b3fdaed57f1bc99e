import type * as fs from 'node:fs';
import type * as files from 'node:fs/promises';
import type * as path from 'node:path';
import type * as url from 'node:url';

interface Builtins {
  readonly 'node:fs': typeof fs;
  readonly 'node:fs/promises': typeof files;
  readonly 'node:path': typeof path;
  readonly 'node:url': typeof url;
}

/**
 * Returns a module of Node without an `import`, so that a module which needs it only for some functions also
 * loads without Node. Throws an `Error` in a runtime that has no such modules.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const found = process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
  if (found) return found;
  throw new Error(`This runtime has no "${name}", which reads files; use Node, Bun or Deno`);
}
