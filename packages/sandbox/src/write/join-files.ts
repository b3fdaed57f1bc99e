import { close, constants, open, read, unlink, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { codeOf, toPathError } from '../errors.ts';
import { kindOf } from '../file-kind.ts';
import { alreadyExists } from './move.ts';
import { renameNoReplace } from './rename-no-replace.ts';
import { registerTemporary, temporaryName } from './temporary-files.ts';
import type { WriteContext } from './write-context.ts';

const fs = {
  close: promisify(close),
  open: promisify(open),
  read: promisify(read),
  unlink: promisify(unlink),
  write: promisify(write),
};
const { O_CREAT, O_EXCL, O_WRONLY } = constants;
const chunkBytes = 1024 * 1024;

export interface JoinOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of files that were joined. */
  progress?: ((joined: number) => void) | undefined;
}

export interface Joined {
  /** The real path. */
  readonly to: string;
  readonly bytes: number;
}

/** Joins the bytes of files, in their order, into a new file, which appears when it is complete. */
export async function joinFiles(
  context: WriteContext,
  sources: readonly string[],
  destination: string,
  { signal, progress }: JoinOptions = {},
): Promise<Joined> {
  const to = context.allowed.locateEntry(destination, { isDestination: true });
  try {
    if (to.stats) throw alreadyExists(sources[0] ?? '', destination, to);
    const temporary = temporaryName();
    using _ = registerTemporary(join(to.parent.path, temporary));
    const beside = join(to.parent.base, temporary);
    const target = await fs.open(beside, O_WRONLY | O_CREAT | O_EXCL, 0o666);
    let bytes = 0;
    try {
      try {
        for (const [index, source] of sources.entries()) {
          bytes += await append(context.allowed, source, target, signal);
          progress?.(index + 1);
        }
      } finally {
        await fs.close(target);
      }
      await renameNoReplace(beside, join(to.parent.base, to.name));
    } catch (error) {
      await fs.unlink(beside).catch(() => {});
      throw error;
    }
    return { to: to.path, bytes };
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new Error(`Already exists: ${quoted(destination)}`)
      : toPathError(error, destination);
  } finally {
    to.parent.close();
  }
}

async function append(
  allowed: AllowedDirectories,
  source: string,
  target: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const opened = allowed.open(source, 'file');
  try {
    if (!opened.stats.isFile())
      throw new Error(`Not a regular file but a ${kindOf(opened.stats)}: ${quoted(source)}`);
    const fd = opened.readable();
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let copied = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await fs.read(fd, chunk, 0, chunkBytes, copied);
      if (bytesRead === 0) return copied;
      for (let written = 0; written < bytesRead;)
        written += (await fs.write(target, chunk, written, bytesRead - written)).bytesWritten;
      copied += bytesRead;
    }
  } catch (error) {
    throw toPathError(error, source);
  } finally {
    opened.close();
  }
}
