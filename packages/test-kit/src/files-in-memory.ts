import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/**
 * The free bytes that `/dev/shm` must have. The tests of one server need up to 340 MB there, and those of
 * several servers may run at the same time.
 */
const minFreeBytes = 1024 ** 3;

/**
 * Creates the directory for the temporary files of all tests, and removes it after them. On Linux it is in
 * memory where that has room: the tests write and delete many small files, and servers are what they test,
 * not the disk.
 */
export default function keepFilesInMemory(): () => void {
  const directory = inMemory() ?? mkdtempSync(join(tmpdir(), 'mcp-tests-'));
  // Some tests start a server as another user, who may only pass through to the files that it is given.
  chmodSync(directory, 0o711);
  const before = process.env['TMPDIR'];
  // The workers, which start later, inherit `TMPDIR`.
  process.env['TMPDIR'] = directory;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(directory, { recursive: true, force: true });
  };
}

/** A directory in memory; undefined if it lacks room, or if programs in it, such as hooks, cannot run. */
function inMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < minFreeBytes) return undefined;
    const directory = mkdtempSync(join(memory, 'mcp-tests-'));
    const program = join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0) return directory;
    rmSync(directory, { recursive: true });
    return undefined;
  } catch {
    return undefined;
  }
}
