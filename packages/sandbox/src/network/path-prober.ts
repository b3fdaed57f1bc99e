import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** How a path is probed: by `stat`, or by reading its first byte. */
type Probe = 'stat' | 'read';

interface Waiting {
  readonly line: string;
  readonly answered: (inTime: boolean) => void;
}

/**
 * The child's program: reads one JSON request per line, probes its path, and prints an empty line, even after
 * an error. Not a thread, because a thread blocked in the kernel prevents its process from exiting.
 */
const program = `
const fs = require('node:fs');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { probe, path } = JSON.parse(line);
  try {
    if (probe === 'stat') fs.statSync(path);
    else {
      const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
      fs.readSync(fd, Buffer.alloc(1), 0, 1, 0);
    }
  } catch {}
  console.log('');
});
process.stdin.on('end', () => process.exit());`;

/** `readline` also splits lines at these two characters, and `JSON.stringify` does not escape them. */
const otherLineBreaks = /[\u2028\u2029]/g;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`;

/**
 * Milliseconds that the shared child may take for an answer. After that it keeps only the request on which it
 * blocks, and a new child gets the other requests.
 */
const sharedTimeoutMs = 100;
const maxIsolated = 8;

/** Probes paths in child processes, so that the server's thread never blocks on them. */
export class PathProber {
  readonly #timeoutMs: number;
  /** The requests that the current child has not answered yet, in the order in which it will answer. */
  #waiting: Waiting[] = [];
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Children that are blocked on a path. Each callback is told whether the child answered in time. */
  readonly #isolated = new Map<ChildProcess, (inTime: boolean) => void>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves to true if the path responds in time. An error such as "not found" is also a response. */
  probe(probe: Probe, path: string): Promise<boolean> {
    return new Promise((answered) => {
      const line = `${JSON.stringify({ probe, path }).replace(otherLineBreaks, escaped)}\n`;
      this.#waiting.push({ line, answered });
      this.#child ??= this.#start();
      this.#child.stdin?.write(line);
      if (this.#waiting.length === 1) this.#startTimer();
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    for (const { answered } of this.#waiting.splice(0)) answered(false);
    for (const end of this.#isolated.values()) end(false);
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
    for (const event of ['error', 'exit']) child.on(event, () => this.#onAnswer(child, false));
    const { stdin, stdout } = child as ChildProcess;
    // If this process has no free descriptors, the child has neither `stdin` nor `stdout`. The `error` event
    // that follows fails the first waiting probe.
    if (!stdin || !stdout) return child;
    createInterface({ input: stdout }).on('line', () => this.#onAnswer(child, true));
    stdin.on('error', () => {});
    // The child does not keep this process alive, and ends with it. While a probe is pending, the probe's
    // timer keeps this process alive.
    child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket).unref();
    return child;
  }

  #onAnswer(child: ChildProcess, inTime: boolean): void {
    this.#isolated.get(child)?.(inTime);
    if (child !== this.#child) return;
    if (!inTime) this.#child = undefined;
    this.#waiting.shift()?.answered(inTime);
    this.#resume();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#isolate(), sharedTimeoutMs);
  }

  #isolate(): void {
    if (this.#isolated.size >= maxIsolated) return this.#startTimer();
    const { answered } = this.#waiting.shift()!;
    const child = this.#child!;
    this.#child = undefined;
    const end = (inTime: boolean) => {
      clearTimeout(timer);
      this.#isolated.delete(child);
      child.kill('SIGKILL');
      answered(inTime);
    };
    const timer = setTimeout(() => end(false), this.#timeoutMs - sharedTimeoutMs);
    this.#isolated.set(child, end);
    this.#resume();
  }

  /** If there is no child, starts one and sends it all waiting requests. */
  #resume(): void {
    if (!this.#child && this.#waiting.length > 0) {
      this.#child = this.#start();
      for (const { line } of this.#waiting) this.#child.stdin?.write(line);
    }
    this.#startTimer();
  }
}
