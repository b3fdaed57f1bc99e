import type * as files from 'node:fs/promises';
import type * as http from 'node:http';
import type * as https from 'node:https';
import type * as os from 'node:os';
import type * as path from 'node:path';
import type * as util from 'node:util';

export interface BuiltinModules {
  readonly 'node:fs/promises': typeof files;
  readonly 'node:http': typeof http;
  readonly 'node:https': typeof https;
  readonly 'node:os': typeof os;
  readonly 'node:path': typeof path;
  readonly 'node:util': typeof util;
}

/** Returns a built-in module of Node without an `import`; undefined in a runtime that has no such module. */
export function builtinModule<Name extends keyof BuiltinModules>(
  name: Name,
): BuiltinModules[Name] | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  return process?.getBuiltinModule?.(name) as BuiltinModules[Name] | undefined;
}
