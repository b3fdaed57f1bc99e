import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { codeOf } from '@mcp/kit';

/**
 * Returns the path of an executable file: `program` is a path relative to `cwd`, or a name to look up in
 * `search`, as in PATH. Throws if there is no such file.
 */
export function findProgram(program: string, cwd: string, search: string): string {
  if (/[/\\]/.test(program)) {
    const path = resolve(cwd, program);
    const fault = faultOf(path);
    if (fault !== undefined) throw new Error(fault);
    return path;
  }
  const extensions = process.platform === 'win32' ? ['.exe', '.com', ''] : [''];
  const places = search.split(delimiter).filter(Boolean);
  for (const directory of places) {
    for (const extension of extensions) {
      const path = join(directory, `${program}${extension}`);
      if (faultOf(path) === undefined) return path;
    }
  }
  throw new Error(
    `No such program: "${program}" is in no directory of PATH (${search}); install it, or give its path in the configuration`,
  );
}

function faultOf(path: string): string | undefined {
  let status: Stats;
  try {
    status = statSync(path);
  } catch (error) {
    return codeOf(error) === 'EACCES' ? `No access: "${path}"` : `No such program: "${path}"`;
  }
  if (!status.isFile()) return `Not a program but a directory or special file: "${path}"`;
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return `Not executable: "${path}"; run: chmod +x "${path}"`;
  }
}
