import type { Call } from '@mcp/protocol';
import type { TextRead } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { fileEnd, fileStart, type FileText, maxTextBytes, numberedLines } from '../text/file-text.ts';

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
 * Reads at most `maxBytes` bytes; without a number of lines, 38 kB. Synchronous for small files, for speed.
 */
export function readPart(
  sandbox: Filesystem['sandbox'],
  path: string,
  { head, tail, offset, limit, hash }: FilePart,
  maxBytes: number,
  { signal, progress }: Pick<Call, 'signal'> & Partial<Pick<Call, 'progress'>>,
): FileText | Promise<FileText> {
  if (offset !== undefined || limit !== undefined) {
    const most = limit === undefined ? Math.min(maxTextBytes, maxBytes) : maxBytes;
    const lines = sandbox.readLines(path, { offset, limit, maxBytes: most, hash, signal, progress });
    return lines.then((read) => numberedLines(read, most));
  }
  const isWhole = head === undefined && tail === undefined;
  const most = isWhole ? Math.min(maxTextBytes, maxBytes) : maxBytes;
  const show = (read: TextRead) => (isWhole ? fileStart(read, most) : fileEnd(read, maxBytes));
  const read = sandbox.readText(path, { head, tail, maxBytes: most, hash, signal });
  return read instanceof Promise ? read.then(show) : show(read);
}
