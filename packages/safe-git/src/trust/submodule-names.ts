import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { FileStates } from '../file-states.ts';
import { readSmallFile } from '../read-small-file.ts';
import { listSubmodules, parseSubmodules, submoduleBlobs } from './git-config.ts';
import type { GitContext } from './git-context.ts';
import { inspect } from './inspect.ts';
import { refuseFifo } from './refuse-fifos.ts';
import type { Layout } from './repository-layout.ts';

/** The names of submodules. */
export interface SubmoduleNames {
  readonly names: readonly string[];
  /**
   * The names can change only if one of these files changes. Undefined if such files are not known; then the
   * names are read again each time.
   */
  readonly states?: FileStates | undefined;
}

const file = '.gitmodules';
const replaced = 'refs/replace';
const maxRefBytes = 1024;
/**
 * Matches the content of a HEAD that names a branch. The parts of the name must be ASCII, and short enough
 * for names of files.
 */
const symbolicRef = /^ref: (refs(?:\/[!-.0-~]{1,200})+)\n$/;

/**
 * Returns the names of submodules in every `.gitmodules` that git may read. `submodule.<name>.ignore` is
 * overridden for each name, because it takes precedence over a general setting. Returns `last`, without
 * asking git, if the files from which the names were read have not changed.
 */
export async function submoduleNames(
  context: GitContext,
  layout: Layout,
  last?: SubmoduleNames,
): Promise<SubmoduleNames> {
  const { top } = layout;
  refuseFifo(join(top, file), file);
  if (last?.states?.areSame) return last;
  const states = statesOf(layout);
  const { args, input, parse } = submoduleBlobs;
  const found = await inspect(context, args, top, input);
  const blobs = found.code === 0 ? parse(found.stdout) : input.trim().split('\n');
  const lists = blobs.map((blob) => listSubmodules('--blob', blob));
  refuseFifo(join(top, file), file);
  if (lstatSync(join(top, file), { throwIfNoEntry: false })) lists.push(listSubmodules('--file', file));
  const outputs = await Promise.all(lists.map((list) => inspect(context, list, top)));
  const names = outputs.flatMap(({ code, stdout }) => (code === 0 ? parseSubmodules(stdout) : []));
  const areRead = [found, ...outputs].every(({ code }) => code === 0);
  return { names, ...(areRead && { states }) };
}

/** The files that determine the `.gitmodules` of the work tree, the index and HEAD. */
function statesOf({ top, gitDir, commonDir }: Layout): FileStates | undefined {
  const readMs = Date.now();
  // A ref in refs/replace can give HEAD another `.gitmodules` without a change of the files below, so the
  // names are then read each time.
  if (lstatSync(join(commonDir, replaced), { throwIfNoEntry: false })) return undefined;
  const head = readRef(join(gitDir, 'HEAD'));
  const [, branch] = symbolicRef.exec(head) ?? [];
  if (branch !== undefined && readRef(join(commonDir, branch)).startsWith('ref:')) return undefined;
  // A HEAD that names no branch must contain a hash. With any other content, it is unknown on which files the
  // names depend.
  if (branch === undefined && !/^[0-9a-f]{40,64}\n$/.test(head)) return undefined;
  const shared = ['packed-refs', replaced, 'reftable/tables.list', ...(branch === undefined ? [] : [branch])];
  const own = ['HEAD', 'index', 'reftable/tables.list', ...(branch === undefined ? [] : [branch])];
  const files = [
    join(top, file),
    ...shared.map((name) => join(commonDir, name)),
    ...own.map((name) => join(gitDir, name)),
  ];
  return new FileStates(files, readMs);
}

/** The content of a ref; empty if it cannot be read or is too long. */
function readRef(path: string): string {
  try {
    return readSmallFile(path, maxRefBytes)?.toString('latin1') ?? '';
  } catch {
    return '';
  }
}
