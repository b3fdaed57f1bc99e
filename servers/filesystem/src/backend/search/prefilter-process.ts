import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { parse } from 'node:path';
import { createInterface } from 'node:readline';
import { prefilterFiles, prefilterBufferBytes } from './prefilter-files.ts';

/** Files of one directory, and the bytes to search for. */
export interface PrefilterTask {
  /** The real path of the directory. */
  readonly path: string;
  /** The identity of the directory: where the path leads to another one by now, no file is read. */
  readonly dev: number;
  readonly ino: number;
  readonly names: readonly string[];
  /** The bytes as base64. */
  readonly needle: string;
  readonly rarest: number;
}

/** The indexes of the files that may match; undefined where the directory was not found. */
type Kept = readonly number[] | undefined;

/** How long an idle process waits for another search before it ends. */
const idleMs = 10_000;

/** Above this length, queued tasks are written immediately rather than at the end of the turn. */
const maxUnsent = 8 * 1024;

/**
 * The child's program: does one task per line; its first line of output says that it is ready.
 * It changes into the directory, because opening a name there takes half the time of opening it through
 * a descriptor, and no other directory can take its place. It changes back afterwards, because a working
 * directory cannot be unmounted.
 */
function prefilterProcessMain(prefilter: typeof prefilterFiles, bufferBytes: number): void {
  const fs = process.getBuiltinModule('node:fs');
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  const initialDirectory = process.cwd();

  function answer({ path, dev, ino, names, needle, rarest }: PrefilterTask): readonly number[] | null {
    try {
      process.chdir(path);
      const here = fs.statSync('.');
      if (here.dev !== dev || here.ino !== ino) return null;
      return prefilter(fs, '', names, { bytes: Buffer.from(needle, 'base64'), rarest }, buffer);
    } catch {
      return null;
    } finally {
      process.chdir(initialDirectory);
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
      tasks.map((task) => `${JSON.stringify(answer(JSON.parse(task) as PrefilterTask))}\n`).join(''),
    );
  }
}

interface Waiting {
  readonly files: number;
  readonly answered: (kept: Kept) => void;
}

/**
 * A child process that prefilters files, one task after the other. It never keeps the server's process alive.
 */
export class PrefilterProcess {
  /** The number of files in unfinished tasks. */
  pendingFiles = 0;
  readonly #child: ChildProcess;
  readonly #waiting: Waiting[] = [];
  readonly #onEnd: () => void;
  #isReady = false;
  #unsent = '';
  #idle: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    const program = `(${prefilterProcessMain.toString()})(${prefilterFiles.toString()}, ${prefilterBufferBytes})`;
    this.#child = spawn(process.execPath, ['-e', program], {
      cwd: parse(process.execPath).root,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    for (const event of ['error', 'exit']) this.#child.on(event, () => this.end());
    const { stdin, stdout } = this.#child;
    // Without free descriptors both are missing, and an `error` event follows.
    if (!stdin || !stdout) return;
    createInterface({ input: stdout }).on('line', (line) => this.#onLine(line));
    stdin.on('error', () => this.end());
    // The child ends with this process; only pending tasks keep this process alive.
    this.#child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket).unref();
  }

  /** Whether it has started and can take tasks. */
  get isReady(): boolean {
    return this.#isReady;
  }

  run(task: PrefilterTask): Promise<Kept> {
    clearTimeout(this.#idle);
    (this.#child.stdout as Socket).ref();
    this.pendingFiles += task.names.length;
    return new Promise((answered) => {
      this.#waiting.push({ files: task.names.length, answered });
      if (this.#unsent === '') process.nextTick(() => this.#send());
      this.#unsent += `${JSON.stringify(task)}\n`;
      if (this.#unsent.length > maxUnsent) this.#send();
    });
  }

  #send(): void {
    if (this.#unsent !== '') this.#child.stdin!.write(this.#unsent);
    this.#unsent = '';
  }

  #onLine(line: string): void {
    const waiting = this.#isReady ? this.#waiting.shift() : undefined;
    this.#isReady = true;
    this.pendingFiles -= waiting?.files ?? 0;
    if (this.#waiting.length === 0) this.#becomeIdle();
    waiting?.answered((JSON.parse(line) as readonly number[] | null) ?? undefined);
  }

  #becomeIdle(): void {
    (this.#child.stdout as Socket).unref();
    this.#idle = setTimeout(() => this.end(), idleMs).unref();
  }

  end(): void {
    clearTimeout(this.#idle);
    // A process that failed to start keeps its slot for a while, so that its replacement is not
    // started immediately.
    if (this.#isReady) this.#onEnd();
    else setTimeout(this.#onEnd, idleMs).unref();
    this.#isReady = false;
    this.#child.kill('SIGKILL');
    for (const { answered } of this.#waiting.splice(0)) answered(undefined);
  }
}
