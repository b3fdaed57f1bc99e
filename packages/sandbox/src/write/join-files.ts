import { constants } from 'node:fs';
import { quoted } from '@mcp/kit';
import * as fs from '../promised-fs.ts';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { toPathError } from '../errors.ts';
import { kindOf } from '../file-kind.ts';
import { intoNew, throughTemporary } from './into-new.ts';
import type { WriteContext } from '../replace/write-context.ts';

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
const chunkBytes = 1024 * 1024;

export interface JoinOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of files that were joined. */
  progress?: ((joined: number) => void) | undefined;
}

export interface Joined {
  /** The real path of the new file. */
  readonly to: string;
  readonly bytes: number;
}

/** Joins the bytes of files, in order, into a new file, which appears only when it is complete. */
export async function joinFiles(
  context: WriteContext,
  sources: readonly string[],
  destination: string,
  { signal, progress }: JoinOptions = {},
): Promise<Joined> {
  return await intoNew(context, sources[0] ?? '', destination, async (to) => {
    let bytes = 0;
    await throughTemporary(to, async (beside) => {
      const target = await fs.open(beside, O_WRONLY | O_CREAT | O_EXCL, 0o666);
      try {
        for (const [index, source] of sources.entries()) {
          bytes += await append(context.allowed, source, target, signal);
          progress?.(index + 1);
        }
      } finally {
        await fs.close(target);
      }
    });
    return { to: to.path, bytes };
  });
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
