import { argv } from '../../argv.ts';
import type { Command, OutputReader } from '../../command.ts';
import { quoted, textOf } from '../../safe-text.ts';

export interface GitObject {
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly hash: string;
  readonly size: number;
  /** The content of the object, cut after the requested number of bytes. */
  readonly bytes: Buffer;
}

/** Reads an object in the form in which git stores it, without filters; undefined if it does not exist. */
export function readObject(name: string, maxBytes: number): Command<GitObject | undefined> {
  if (name.includes('\n')) throw new Error(`Invalid object name: ${quoted(name)}; it contains a line break`);
  return { args: argv`cat-file --batch`, input: `${name}\n`, reader: () => new ObjectReader(maxBytes) };
}

class ObjectReader implements OutputReader<GitObject | undefined> {
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(max: number) {
    this.#max = max;
  }

  push(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes <= this.#max + 1_000;
  }

  result(): GitObject | undefined {
    const all = Buffer.concat(this.#chunks);
    const end = all.indexOf(10);
    const [, hash, type, size] =
      /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(all.toString('utf8', 0, Math.max(end, 0))) ?? [];
    if (!hash) return undefined;
    const bytes = all.subarray(end + 1, end + 1 + Math.min(Number(size), this.#max));
    return { type: type as GitObject['type'], hash, size: Number(size), bytes };
  }
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'submodule';
}

/** Parses a tree object. `hashLength` is the number of hexadecimal digits of a hash. */
export function parseTree(bytes: Buffer, hashLength: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    if (space === -1 || end === -1) break;
    const mode = bytes.toString('latin1', at, space);
    entries.push({ name: textOf(bytes.subarray(space + 1, end)), kind: kinds[mode] ?? 'file' });
    at = end + 1 + hashLength / 2;
  }
  return entries;
}

const kinds: { readonly [mode: string]: TreeEntry['kind'] } = {
  '40000': 'directory',
  '120000': 'symlink',
  '160000': 'submodule',
};
