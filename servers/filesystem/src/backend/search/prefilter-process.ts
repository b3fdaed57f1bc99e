import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { parse } from 'node:path';
import { createInterface } from 'node:readline';
import { sift, siftBytes } from './prefilter-files.ts';

/** Files of one directory, and the bytes that they are searched for. */
export interface SiftTask {
  /** The real path of the directory. */
  readonly path: string;
  /** What the directory is known by: nothing is read where the path leads to another one by now. */
  readonly dev: number;
  readonly ino: number;
  readonly names: readonly string[];
  /** The bytes as base64. */
  readonly needle: string;
  readonly rarest: number;
}

/** Those of the names that are to be looked at closely; nothing where the directory was not to be found. */
type Kept = readonly number[] | undefined;

/** How long a process waits for another search before it ends. */
const idleMs = 10_000;

const mostUnsent = 8 * 1024;

/**
 * Does the task of one line at a time; its first line says that it is ready. It goes into the directory, for a name
 * is opened in half the time there that it takes by way of a descriptor, and no other one can be put in its place.
 * A directory that is worked in cannot be unmounted, so it goes out again.
 */
function siftInProcess(siftAll: typeof sift, bufferBytes: number): void {
  const fs = process.getBuiltinModule('node:fs');
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  const outside = process.cwd();

  function answer({ path, dev, ino, names, needle, rarest }: SiftTask): readonly number[] | null {
    try {
      process.chdir(path);
      const here = fs.statSync('.');
      if (here.dev !== dev || here.ino !== ino) return null;
      return siftAll(fs, '', names, { bytes: Buffer.from(needle, 'base64'), rarest }, buffer);
    } catch {
      return null;
    } finally {
      process.chdir(outside);
    }
  }

  const chunk = Buffer.allocUnsafeSlow(16 * 1024);
  let unread = Buffer.alloc(0);
  fs.writeSync(1, '\n');
  for (let size = -1; size !== 0;) {
    size = fs.readSync(0, chunk);
    unread = Buffer.concat([unread, chunk.subarray(0, size)]);
    const end = unread.lastIndexOf(10) + 1;
    if (end === 0) continue;
    const tasks = unread.toString('utf8', 0, end - 1).split('\n');
    unread = unread.subarray(end);
    fs.writeSync(
      1,
      tasks.map((task) => `${JSON.stringify(answer(JSON.parse(task) as SiftTask))}\n`).join(''),
    );
  }
}

interface Waiting {
  readonly files: number;
  readonly answered: (kept: Kept) => void;
}

/** Sifts files beside the process that serves, one task after the other. It never keeps that one alive. */
export class SiftProcess {
  /** How many files it has been given and not answered for. */
  files = 0;
  readonly #child: ChildProcess;
  readonly #waiting: Waiting[] = [];
  readonly #ended: () => void;
  #isUp = false;
  #unsent = '';
  #idle: NodeJS.Timeout | undefined;

  constructor(ended: () => void) {
    this.#ended = ended;
    const program = `(${siftInProcess.toString()})(${sift.toString()}, ${siftBytes})`;
    this.#child = spawn(process.execPath, ['-e', program], {
      cwd: parse(process.execPath).root,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    for (const event of ['error', 'exit']) this.#child.on(event, () => this.#end());
    const { stdin, stdout } = this.#child;
    // It has neither when there were no descriptors left for them, and is about to say so.
    if (!stdin || !stdout) return;
    createInterface({ input: stdout }).on('line', (line) => this.#heard(line));
    stdin.on('error', () => this.#end());
    // It ends with this process, which only those who wait keep alive.
    this.#child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket).unref();
  }

  /** Whether it can begin at once. */
  get isUp(): boolean {
    return this.#isUp;
  }

  sift(task: SiftTask): Promise<Kept> {
    clearTimeout(this.#idle);
    (this.#child.stdout as Socket).ref();
    this.files += task.names.length;
    return new Promise((answered) => {
      this.#waiting.push({ files: task.names.length, answered });
      if (this.#unsent === '') process.nextTick(() => this.#send());
      this.#unsent += `${JSON.stringify(task)}\n`;
      if (this.#unsent.length > mostUnsent) this.#send();
    });
  }

  #send(): void {
    if (this.#unsent !== '') this.#child.stdin!.write(this.#unsent);
    this.#unsent = '';
  }

  #heard(line: string): void {
    const waiting = this.#isUp ? this.#waiting.shift() : undefined;
    this.#isUp = true;
    this.files -= waiting?.files ?? 0;
    if (this.#waiting.length === 0) this.#rest();
    waiting?.answered((JSON.parse(line) as readonly number[] | null) ?? undefined);
  }

  #rest(): void {
    (this.#child.stdout as Socket).unref();
    this.#idle = setTimeout(() => this.#end(), idleMs).unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    // Where one could not even begin, there is no use in trying again at once.
    if (this.#isUp) this.#ended();
    else setTimeout(this.#ended, idleMs).unref();
    this.#isUp = false;
    this.#child.kill('SIGKILL');
    for (const { answered } of this.#waiting.splice(0)) answered(undefined);
  }
}
