import { noResult, type Command } from '../command.ts';

/** Stores the content of a file as it is, without filters, and returns its hash. */
export function storeBlob(bytes: Buffer): Command<string> {
  return {
    kind: 'write',
    args: ['hash-object', '-w', '--stdin', '--no-filters'],
    input: bytes,
    parse: ({ stdout }) => stdout.toString('latin1').trim(),
  };
}

/** Sets what is staged of a file. */
export function setIndexEntry({
  mode,
  blob,
  path,
}: {
  mode: string;
  blob: string;
  path: string;
}): Command<void> {
  return {
    kind: 'write',
    args: ['update-index', '-z', '--index-info'],
    input: `${mode} ${blob} 0\t${path}\0`,
    parse: noResult,
  };
}
