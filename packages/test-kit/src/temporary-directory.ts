import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary directory with two others in it: one that a server may use, and one that it must not. */
export class TemporaryDirectory implements Disposable {
  readonly base: string;
  /** The directory that the server may use. */
  readonly root: string;
  /** The directory that the server must never touch. */
  readonly outside: string;

  constructor(prefix: string, root = 'root') {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), `${prefix}-`)));
    this.root = join(this.base, root);
    this.outside = join(this.base, 'outside');
    mkdirSync(this.root, { recursive: true });
    mkdirSync(this.outside);
  }

  /** Writes a file below the root, and returns its path. */
  put(path: string, content: string | Uint8Array = ''): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Reads a file below the root as UTF-8. */
  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  /** Lets every user read all that is in the directory now; does not depend on the umask. */
  letOthersRead(): void {
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', this.base]);
  }

  /** The paths below the base, sorted. */
  get names(): string[] {
    return readdirSync(this.base, { recursive: true }).map(String).sort();
  }

  get outsideNames(): string[] {
    return readdirSync(this.outside);
  }

  [Symbol.dispose](): void {
    try {
      rmSync(this.base, { recursive: true, force: true });
    } catch {
      // Only root can delete files in a read-only directory, so the directories are made writable first.
      execFileSync('chmod', ['-R', 'u+rwX', this.base]);
      rmSync(this.base, { recursive: true, force: true });
    }
  }
}
