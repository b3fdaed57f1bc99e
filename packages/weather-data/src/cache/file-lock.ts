import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { WeatherError, quoted } from '../errors.ts';
import { codeOf } from './atomic-files.ts';

/** A lock that is older was left behind by a process that died: the work takes milliseconds. */
const maxLockAgeMs = 10_000;
const lockTimeoutMs = 5_000;

/**
 * Runs `work` while holding an advisory lock, a file beside `file`, against other processes that do the same.
 *
 * @throws `WeatherError` of kind `saved_places` when the lock is not available within 5 seconds.
 */
export async function withFileLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  const end = Date.now() + lockTimeoutMs;
  for (;;) {
    try {
      const held = await open(lock, 'wx', 0o600);
      try {
        await held.writeFile(String(process.pid));
      } catch (error) {
        // Without the process id of its owner, others would wait until the lock is old.
        await rm(lock, { force: true });
        throw error;
      } finally {
        await held.close();
      }
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isAbandoned(lock)) await removeAbandoned(lock);
    if (Date.now() > end)
      throw new WeatherError(
        'saved_places',
        `Timed out waiting for another process to write ${quoted(file, 300)}. Try again`,
      );
    await setTimeout(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * Removes an abandoned lock, one process at a time: otherwise a second process that found it abandoned would
 * remove the new lock that a third one has created meanwhile.
 */
async function removeAbandoned(lock: string): Promise<void> {
  const removal = `${lock}.removal`;
  try {
    await (await open(removal, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (await isOld(removal)) await rm(removal, { force: true });
    return;
  }
  try {
    if (await isAbandoned(lock)) await rm(lock, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
}

async function isOld(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > maxLockAgeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  try {
    if (await isOld(lock)) return true;
    const owner = Number(await readFile(lock, 'utf8'));
    // Its owner has created it and not written its process id yet.
    if (!Number.isInteger(owner) || owner <= 0) return false;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
