import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/**
 * The last commit of a database as text, equal only while there was none since: from the header of the file, and in
 * WAL mode from that of the index of the log, which every commit writes.
 * @see https://www.sqlite.org/fileformat2.html https://www.sqlite.org/walformat.html
 */
export function changeOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { dev, ino, size } = fstatSync(file);
    const header = Buffer.alloc(100);
    readSync(file, header, 0, 100, 0);
    // Size, change counter, schema cookie, and the counter again that says that the size is right.
    const counters = header.toString('hex', 24, 44) + header.toString('hex', 92, 96);
    const inWal = header[18] === 2;
    return `${dev}.${ino}.${size}.${counters}${inWal ? `.${logOf(path)}` : ''}`;
  } finally {
    closeSync(file);
  }
}

function logOf(path: string): string {
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  if (!log || log.size === 0n) return '';
  return `${log.ino}.${indexOf(path) ?? `${log.size}.${log.mtimeNs}`}`;
}

/** The first of the two equal headers of the index: a counter of transactions, the last frame, two salts. */
function indexOf(path: string): string | undefined {
  let file;
  try {
    file = openSync(`${path}-shm`, 'r');
  } catch {
    return undefined;
  }
  try {
    const header = Buffer.alloc(48);
    return readSync(file, header, 0, 48, 0) === 48 ? header.toString('hex') : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
