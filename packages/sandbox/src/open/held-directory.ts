import { lstatSync, statSync, type BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import type { PathOpener, OpenedPath } from './path-opener.ts';

/**
 * Milliseconds between checks whether the directory was used. After one or two such intervals without use,
 * the directory is closed, unless it is on the drive of the root directory.
 */
const idleMs = 1_000;

/** What is known of a directory whose descriptor was closed while idle. */
interface Remembered {
  readonly stats: BigIntStats;
  readonly at: number;
  readonly isMountPoint: boolean;
}

/**
 * The descriptor of an allowed directory. An open descriptor prevents the unmounting of its drive. So on any
 * drive but that of the root directory, the descriptor is closed while idle, and the next use opens it again.
 * It is opened only if the same directory is at the path, or a directory that was created after the closing.
 */
export class HeldDirectory {
  readonly #path: string;
  readonly #opener: PathOpener;
  #opened: OpenedPath | undefined;
  #remembered: Remembered | undefined;
  #holders = 1;
  #wasUsed = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, opened: OpenedPath, opener: PathOpener) {
    this.#path = path;
    this.#opened = opened;
    this.#opener = opener;
    this.#startTimer();
  }

  get holders(): number {
    return this.#holders;
  }

  /** Adds a holder. The descriptor closes when `close` was called once for each holder. */
  share(): void {
    this.#holders++;
  }

  close(): void {
    if (--this.#holders > 0) return;
    clearInterval(this.#timer);
    this.#opened?.close();
    this.#opened = undefined;
    this.#remembered = undefined;
  }

  /** Returns the directory; undefined if it was replaced or deleted while it was closed. */
  opened(): OpenedPath | undefined {
    this.#wasUsed = true;
    if (!this.#opened && this.#remembered) this.#openAgain(this.#remembered);
    return this.#opened;
  }

  /** If the directory was deleted and created again, opens the new directory. Returns whether it did so. */
  replaceDeleted(): boolean {
    if (this.opened()?.currentLocation() !== 'deleted') return false;
    const reopened = this.#open();
    if (!reopened) return false;
    this.#opened?.close();
    this.#opened = reopened;
    return true;
  }

  #openAgain(remembered: Remembered): void {
    const reopened = this.#open();
    if (!reopened) return;
    if (isSameOrNewer(identityOf(reopened), remembered)) {
      this.#opened = reopened;
      this.#remembered = undefined;
      this.#startTimer();
    } else reopened.close();
  }

  #open(): OpenedPath | undefined {
    try {
      const verify = (real: string) => {
        if (real !== this.#path) throw new Error('Moved');
      };
      const opened = this.#opener.open(this.#path, { directory: true, verify });
      if (opened.stats.isDirectory()) return opened;
      opened.close();
    } catch {
      // The directory is deleted, moved or replaced with a symlink.
    }
    return undefined;
  }

  #startTimer(): void {
    if (this.#opened?.stats.dev !== statSync('/').dev)
      this.#timer = setInterval(() => this.#onInterval(), idleMs).unref();
  }

  #onInterval(): void {
    if (this.#wasUsed) {
      this.#wasUsed = false;
      return;
    }
    // Only an open descriptor tells whether a directory was deleted or moved, so in both cases it stays open.
    if (this.#opened?.currentLocation() !== 'unmoved') return;
    try {
      this.#remembered = {
        stats: identityOf(this.#opened),
        at: Date.now(),
        isMountPoint: lstatSync(dirname(this.#path)).dev !== this.#opened.stats.dev,
      };
    } catch {
      return;
    }
    clearInterval(this.#timer);
    this.#opened.close();
    this.#opened = undefined;
  }
}

function identityOf(opened: OpenedPath): BigIntStats {
  return statSync(`${opened.base}/.`, { bigint: true });
}

/**
 * Whether the directory now at the path is the remembered one, or was created after the remembered one was
 * closed. In place of a mount point, no newer directory is accepted: a mount point cannot be deleted, so
 * another directory there belongs to another drive, or lay under the mount.
 */
function isSameOrNewer(now: BigIntStats, { stats, at, isMountPoint }: Remembered): boolean {
  if (now.dev !== stats.dev) return false;
  const isBirthKnown = stats.birthtimeNs > 0n && stats.birthtimeNs !== stats.ctimeNs;
  if (now.ino === stats.ino && (!isBirthKnown || now.birthtimeNs === stats.birthtimeNs)) return true;
  // On a file system without birth times, Node may return the change time instead. A move also updates the
  // change time, so a birth time that equals the change time is not trusted.
  return !isMountPoint && isBirthKnown && now.birthtimeMs >= BigInt(at);
}
