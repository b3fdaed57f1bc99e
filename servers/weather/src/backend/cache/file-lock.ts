import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Failure, quoted } from '../errors.ts';
import { codeOf } from './atomic-files.ts';

/** A lock that is older than this was left behind by a process that died: the work takes milliseconds. */
const abandonedMs = 10_000;
const waitMs = 5_000;

/** Does something while no other process that asks the same way does. */
export async function whileLocked<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  const end = Date.now() + waitMs;
  for (;;) {
    try {
      const held = await open(lock, 'wx', 0o600);
      try {
        await held.writeFile(String(process.pid));
      } catch (error) {
        // A lock without its owner's name would be waited for until it is old.
        await rm(lock, { force: true });
        throw error;
      } finally {
        await held.close();
      }
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isAbandoned(lock)) await takeAway(lock);
    if (Date.now() > end)
      throw new Failure('saved_places', `Another process is writing ${quoted(file, 300)}. Try again`);
    await setTimeout(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * Takes an abandoned lock away, one process at a time: whoever found it abandoned too would otherwise take away the
 * next one, which somebody has made by then.
 */
async function takeAway(lock: string): Promise<void> {
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
    return Date.now() - (await stat(file)).mtimeMs > abandonedMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  try {
    if (await isOld(lock)) return true;
    const owner = Number(await readFile(lock, 'utf8'));
    // Empty for a moment: its owner has yet to write its name.
    if (!Number.isInteger(owner) || owner <= 0) return false;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
