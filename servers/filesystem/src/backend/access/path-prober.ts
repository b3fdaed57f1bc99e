import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What to do with a path: only see whether somebody answers. */
type Knock = 'stat' | 'read';

interface Waiting {
  readonly line: string;
  readonly answered: (inTime: boolean) => void;
}

/**
 * Does the work of one line at a time: a letter for what to do, and the path as JSON. An error is an answer as well.
 * A process rather than a thread, for a thread that waits in the kernel keeps its process from ending.
 */
const program = `
const fs = require('node:fs');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { knock, path } = JSON.parse(line);
  try {
    if (knock === 'stat') fs.statSync(path);
    else {
      const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
      fs.readSync(fd, Buffer.alloc(1), 0, 1, 0);
    }
  } catch {}
  console.log('');
});
process.stdin.on('end', () => process.exit());`;

/** What ends a line to the reader of lines, and has no escape in JSON. */
const otherLineBreaks = /[\u2028\u2029]/g;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

/** What takes longer is waited for alone, so that others need not wait behind it. */
const promptMs = 100;
const mostAlone = 8;

/** Touches files that may not answer, so that nobody else has to wait for them. */
export class Knocker {
  readonly #patienceMs: number;
  /** In the order in which the child will answer. */
  #waiting: Waiting[] = [];
  #child: ChildProcess | undefined;
  #prompt: NodeJS.Timeout | undefined;
  /** What to tell those who are waited for alone, by the child that waits. */
  readonly #alone = new Map<ChildProcess, (inTime: boolean) => void>();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Whether there was an answer in time, be it that there is nothing. */
  knock(knock: Knock, path: string): Promise<boolean> {
    return new Promise((answered) => {
      const line = `${JSON.stringify({ knock, path }).replace(otherLineBreaks, escaped)}\n`;
      this.#waiting.push({ line, answered });
      this.#child ??= this.#start();
      this.#child.stdin?.write(line);
      if (this.#waiting.length === 1) this.#wait();
    });
  }

  close(): void {
    clearTimeout(this.#prompt);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    for (const { answered } of this.#waiting.splice(0)) answered(false);
    for (const end of this.#alone.values()) end(false);
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
    for (const event of ['error', 'exit']) child.on(event, () => this.#heard(child, false));
    const { stdin, stdout } = child as ChildProcess;
    // It has neither when there were no descriptors left for them, and is about to say so.
    if (!stdin || !stdout) return child;
    createInterface({ input: stdout }).on('line', () => this.#heard(child, true));
    stdin.on('error', () => {});
    // It ends with this process, which only those who wait keep alive.
    child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket).unref();
    return child;
  }

  #heard(child: ChildProcess, inTime: boolean): void {
    this.#alone.get(child)?.(inTime);
    if (child !== this.#child) return;
    if (!inTime) this.#child = undefined;
    this.#waiting.shift()?.answered(inTime);
    this.#goOn();
  }

  #wait(): void {
    clearTimeout(this.#prompt);
    if (this.#waiting.length > 0) this.#prompt = setTimeout(() => this.#waitAlone(), promptMs);
  }

  #waitAlone(): void {
    if (this.#alone.size >= mostAlone) return this.#wait();
    const { answered } = this.#waiting.shift()!;
    const child = this.#child!;
    this.#child = undefined;
    const end = (inTime: boolean) => {
      clearTimeout(patience);
      this.#alone.delete(child);
      child.kill('SIGKILL');
      answered(inTime);
    };
    const patience = setTimeout(() => end(false), this.#patienceMs - promptMs);
    this.#alone.set(child, end);
    this.#goOn();
  }

  /** The others begin anew where they were waiting for a child that is gone. */
  #goOn(): void {
    if (!this.#child && this.#waiting.length > 0) {
      this.#child = this.#start();
      for (const { line } of this.#waiting) this.#child.stdin?.write(line);
    }
    this.#wait();
  }
}
