import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the repositories that tests copy. */
    templates: string;
  }
}

const memory = '/dev/shm';
/** The tests need less than 20 MB of it. */
const minFreeBytes = 256 * 1024 ** 2;

/**
 * Creates the directory for the temporary files of all tests, and removes it after them. On Linux it is in
 * memory where that has room: the tests write and delete many small files, and git is what they test, not the
 * disk.
 */
export default function provideTemporaryDirectory({ provide }: TestProject): () => void {
  const directory = inMemory() ?? mkdtempSync(join(tmpdir(), 'git-tests-'));
  const before = process.env['TMPDIR'];
  // The workers, which start later, inherit it.
  process.env['TMPDIR'] = directory;
  provide('templates', mkdtempSync(join(directory, 'templates-')));
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
    const directory = mkdtempSync(join(memory, 'git-tests-'));
    const program = join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0) return directory;
    rmSync(directory, { recursive: true });
    return undefined;
  } catch {
    return undefined;
  }
}
