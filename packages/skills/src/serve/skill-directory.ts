import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { codeOf, messageOf } from '@mcp/kit';
import { digestOf } from '../digest.ts';
import type { Frontmatter, SkillEntry, SkillFile } from '../entry.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import { skillLimits } from '../limits.ts';
import { isFileName, isSkillName, lastSegment, nameRuleText, skillFile } from '../skill-uri.ts';
import { textOf } from '../text.ts';
import { OpenDirectory } from './open-directory.ts';

/** The files of a skill at one moment. */
export interface Snapshot {
  readonly entry: SkillEntry;
  /** The path of each file in the skill, by URI. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** The directories with their children, by URI; the skill itself is one of them. */
  readonly directories: ReadonlyMap<string, readonly Child[]>;
}

export interface Child {
  readonly uri: string;
  readonly name: string;
  /** The size in bytes; undefined for a directory. */
  readonly size: number | undefined;
}

/** The maximum number of directories in a skill, and of directories around a file in it. */
const maxDirectories = 512;
const maxDepth = 32;

/** How often a file is read again that changes while it is read. */
const maxReads = 3;

/**
 * The time that a file must be unchanged before its digest is kept: two changes within a tick of the clock of
 * the file system leave the same times.
 */
const settledMs = 2_000;

/** The directory of a skill, which is read anew for each snapshot. Digests of unchanged files are kept. */
export class SkillDirectory {
  /** The URI of the `SKILL.md`. */
  readonly uri: string;
  /** The URI of the directory. */
  readonly root: string;
  readonly path: string;
  #digests = new Map<string, { readonly identity: string; readonly digest: string }>();
  #last: Snapshot | undefined;

  constructor(uri: string, path: string) {
    this.uri = uri;
    this.root = uri.slice(0, -skillFile.length - 1);
    this.path = path;
  }

  /** Reads the directory. Rejects with an `Error` if it is not a skill, or is beyond the limits. */
  async snapshot(): Promise<Snapshot> {
    const scan = new Scan(this.root, this.#digests);
    const directory = await this.#open();
    try {
      await scan.directory(directory, []);
    } catch (error) {
      throw this.#unserved(error);
    } finally {
      await directory.close();
    }
    if (!scan.skillText) throw this.#unserved(new Error(`it has no ${skillFile}`));
    const frontmatter = await this.#frontmatter(scan.skillText);
    const resources = scan.files.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
    this.#digests = scan.digests;
    const entry = { uri: this.uri, frontmatter, resources };
    this.#last = { entry, paths: scan.paths, directories: scan.directories };
    return this.#last;
  }

  /** Reads a file as it is now. Undefined if the skill has no such file. */
  async read(uri: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const known = this.#last?.paths.get(uri) ?? (await this.snapshot()).paths.get(uri);
    if (!known) return undefined;
    const open: OpenDirectory[] = [await this.#open()];
    try {
      for (const name of known.slice(0, -1)) open.push(await open.at(-1)!.directory(name));
      return (await readFile(open.at(-1)!, known.at(-1)!, skillLimits.bytes)).bytes;
    } catch (error) {
      // The file is gone, or a link or another kind of entry has taken its place or that of its directory.
      if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL'].includes(codeOf(error) ?? '')) return undefined;
      throw this.#unserved(error, known);
    } finally {
      for (const directory of open.toReversed()) await directory.close();
    }
  }

  #open(): Promise<OpenDirectory> {
    return OpenDirectory.open(this.path).catch((error: unknown) => {
      throw this.#unserved(error);
    });
  }

  async #frontmatter(bytes: Uint8Array): Promise<Frontmatter> {
    const text = textOf(bytes);
    try {
      if (text === undefined) throw new Error(`${skillFile} is not text in UTF-8`);
      const frontmatter = await parseFrontmatter(text);
      const { name, description } = frontmatter;
      if (!isSkillName(name)) throw new Error(`The name must have ${nameRuleText}: "${name}"`);
      const expected = lastSegment(this.root);
      if (name !== expected)
        throw new Error(`The name "${name}" must be that of the directory, "${expected}"`);
      if (description.length > 1024) throw new Error('The description has more than 1024 characters');
      return frontmatter;
    } catch (error) {
      throw this.#unserved(error);
    }
  }

  /** An error for clients, which names no path outside the skill. */
  #unserved(error: unknown, path: readonly string[] = []): Error {
    const where = path.length > 0 ? `"${path.join('/')}": ` : '';
    const code = codeOf(error);
    const reason = code === undefined ? messageOf(error) : `the directory cannot be read (${code})`;
    return new Error(`The skill "${this.uri}" cannot be served: ${where}${reason}`, { cause: error });
  }
}

type Digests = ReadonlyMap<string, { readonly identity: string; readonly digest: string }>;

/** One pass over the directory of a skill. */
class Scan {
  readonly files: SkillFile[] = [];
  readonly paths = new Map<string, readonly string[]>();
  readonly directories = new Map<string, readonly Child[]>();
  readonly digests = new Map<string, { readonly identity: string; readonly digest: string }>();
  skillText: Uint8Array | undefined;
  readonly #root: string;
  readonly #known: Digests;
  #bytes = 0;

  constructor(root: string, known: Digests) {
    this.#root = root;
    this.#known = known;
  }

  async directory(directory: OpenDirectory, path: readonly string[]): Promise<void> {
    const children: Child[] = [];
    const uri = this.#uriOf(path);
    this.directories.set(uri, children);
    if (this.directories.size > maxDirectories)
      throw new Error(`it has more than ${maxDirectories} directories`);
    if (path.length > maxDepth) throw new Error(`"${path.join('/')}" is more than ${maxDepth} levels deep`);
    for await (const entry of directory.entries()) {
      // Names that start with a dot are those of tools, such as `.git` and `.DS_Store`.
      if (entry.name.startsWith('.')) continue;
      const own = [...path, entry.name];
      if (!isFileName(entry.name) || entry.name.includes('\uFFFD'))
        throw new Error(`${JSON.stringify(own.join('/'))} has a name that is not valid everywhere`);
      if (entry.isDirectory()) await this.#subdirectory(directory, own, children);
      else if (entry.isFile()) await this.#file(directory, own, children);
      else throw new Error(`"${own.join('/')}" is ${kindOf(entry)}; a skill has files and directories only`);
    }
    children.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  }

  async #subdirectory(parent: OpenDirectory, path: readonly string[], children: Child[]): Promise<void> {
    const directory = await parent.directory(path.at(-1)!);
    try {
      await this.directory(directory, path);
    } finally {
      await directory.close();
    }
    children.push({ uri: this.#uriOf(path), name: path.at(-1)!, size: undefined });
  }

  async #file(parent: OpenDirectory, path: readonly string[], children: Child[]): Promise<void> {
    const name = path.at(-1)!;
    const uri = this.#uriOf(path);
    if (this.files.length >= skillLimits.files)
      throw new Error(`it has more than ${skillLimits.files} files`);
    const isSkillFile = path.length === 1 && name === skillFile;
    const { size, digest } = await this.#digest(parent, name, uri, isSkillFile);
    this.#bytes += size;
    if (this.#bytes > skillLimits.bytes)
      throw new Error(`its files have more than ${skillLimits.bytes} bytes`);
    this.files.push({ uri, digest, size });
    this.paths.set(uri, path);
    children.push({ uri, name, size });
  }

  /** The digest of a file; the one of the last snapshot, if the file is unchanged. */
  async #digest(
    parent: OpenDirectory,
    name: string,
    uri: string,
    isSkillFile: boolean,
  ): Promise<{ readonly size: number; readonly digest: string }> {
    const known = isSkillFile ? undefined : this.#known.get(uri);
    if (known) {
      const handle = await parent.file(name);
      let stats: BigIntStats;
      try {
        stats = await handle.stat({ bigint: true });
      } finally {
        await handle.close();
      }
      if (identityOf(stats) === known.identity) {
        this.digests.set(uri, known);
        return { size: Number(stats.size), digest: known.digest };
      }
    }
    const { bytes, stats } = await readFile(parent, name, skillLimits.bytes - this.#bytes);
    if (isSkillFile) this.skillText = bytes;
    const digest = await digestOf(bytes);
    if (Date.now() - Number(stats.ctimeMs) > settledMs)
      this.digests.set(uri, { identity: identityOf(stats), digest });
    return { size: bytes.length, digest };
  }

  #uriOf(path: readonly string[]): string {
    return [this.#root, ...path.map(encodeURIComponent)].join('/');
  }
}

interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stats: BigIntStats;
}

/** Reads a file that has at most `maxBytes`, and does not change meanwhile. */
async function readFile(directory: OpenDirectory, name: string, maxBytes: number): Promise<Content> {
  for (let count = 1; count <= maxReads; count++) {
    const handle = await directory.file(name);
    try {
      const stats = await handle.stat({ bigint: true });
      if (stats.size > maxBytes) throw new Error(`its files have more than ${skillLimits.bytes} bytes`);
      const bytes = await readBytes(handle, Number(stats.size));
      if (bytes && identityOf(await handle.stat({ bigint: true })) === identityOf(stats))
        return { bytes, stats };
    } finally {
      await handle.close();
    }
  }
  throw new Error(`"${name}" changes while it is read`);
}

/** Reads exactly `size` bytes; undefined if the file has fewer or more. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // One byte more shows whether the file has grown.
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  while (length <= size) {
    const { bytesRead } = await handle.read(bytes, length, size + 1 - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length === size ? bytes.subarray(0, size) : undefined;
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function kindOf(entry: { isSymbolicLink(): boolean; isFIFO(): boolean; isSocket(): boolean }): string {
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isFIFO()) return 'a FIFO';
  return entry.isSocket() ? 'a socket' : 'a device';
}
