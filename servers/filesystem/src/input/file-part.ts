import type { Call } from '@mcp/protocol';
import type { TextRead } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import {
  fileEnd,
  fileStart,
  type FileText,
  maxTextBytes,
  numberedEnd,
  numberedLines,
  numberedStart,
} from '../text/file-text.ts';

export interface FilePart {
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly hash?: boolean | undefined;
}

export function refuseSeveralParts({ head, tail, offset, limit }: FilePart): void {
  if ([head, tail, offset ?? limit].filter((each) => each !== undefined).length > 1)
    throw new Error('Give only one of head, tail, and offset with limit');
}

/**
 * Reads at most `maxBytes` bytes, or at most 38 kB if no number of lines is requested. Synchronous for small
 * files without line numbers, for speed.
 */
export function readPart(
  { sandbox, numbered }: Pick<Filesystem, 'sandbox' | 'numbered'>,
  path: string,
  { head, tail, offset, limit, hash }: FilePart,
  maxBytes: number,
  { signal, progress }: Pick<Call, 'signal'> & Partial<Pick<Call, 'progress'>>,
): FileText | Promise<FileText> {
  const isRange = offset !== undefined || limit !== undefined;
  const isWhole = !isRange && head === undefined && tail === undefined;
  const most = isWhole || (isRange && limit === undefined) ? Math.min(maxTextBytes, maxBytes) : maxBytes;
  if (isRange || (numbered && tail === undefined)) {
    const range = { offset, limit: limit ?? head, maxBytes: most, hash, signal, progress };
    const show = isWhole ? numberedStart : numberedLines;
    return sandbox.readLines(path, range).then((read) => show(read, most));
  }
  const show = (read: TextRead) => {
    if (isWhole) return fileStart(read, most);
    return numbered ? numberedEnd(read, most) : fileEnd(read, most);
  };
  const read = sandbox.readText(path, { head, tail, maxBytes: most, firstLine: numbered, hash, signal });
  return read instanceof Promise ? read.then(show) : show(read);
}
