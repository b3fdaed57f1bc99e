type Modules = {
  readonly 'node:fs/promises': typeof import('node:fs/promises');
  readonly 'node:http': typeof import('node:http');
  readonly 'node:https': typeof import('node:https');
  readonly 'node:os': typeof import('node:os');
  readonly 'node:path': typeof import('node:path');
};

/** A module of Node; undefined in a runtime that does not have it. */
export function builtinModule<Name extends keyof Modules>(name: Name): Modules[Name] | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  return process?.getBuiltinModule?.(name) as Modules[Name] | undefined;
}
