import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Takes process groups as arguments, then reads `+ group` and `- group` until its stdin ends, which it
 * does with this process, however that ends. The groups that are left have seen the end of their own stdin;
 * a second later they get SIGTERM, and after another SIGKILL.
 */
const script = `
trap '' HUP INT TERM
groups=" $* "
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for signal in TERM KILL; do
  left=
  for group in $groups; do kill -s 0 -- "-$group" && left="$left $group"; done
  [ "$left" ] || exit 0
  sleep 1
  for group in $left; do kill -s "$signal" -- "-$group"; done
done
`;

// The shell would compete with the start of the first server, and delay its first result.
const delayAfterOutputMs = 10;
const maxDelayMs = 100;

/**
 * A shell beside this process that ends process groups which it leaves behind, also when it
 * is killed by SIGKILL.
 */
export class OrphanGuard {
  #shell: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  #at = Infinity;
  readonly #groups = new Set<number>();

  /** Starts the shell within 100 ms, or soon after the first output of a server. */
  add(group: number): void {
    this.#groups.add(group);
    if (this.#shell) this.#write(`+ ${group}`);
    else this.#startIn(maxDelayMs);
  }

  /** A server has written its first output. */
  outputBegan(): void {
    if (!this.#shell) this.#startIn(delayAfterOutputMs);
  }

  delete(group: number): void {
    if (this.#groups.delete(group)) this.#write(`- ${group}`);
  }

  #startIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => this.#start(), ms).unref();
  }

  #start(): void {
    this.#at = Infinity;
    // Windows has no process groups: a server is left with the end of its stdin.
    if (this.#shell || process.platform === 'win32') return;
    const shell = spawn('/bin/sh', ['-c', script, 'sh', ...Array.from(this.#groups, String)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Not in the group of this process, which a terminal signals as a whole;
      // and in no directory that is in use.
      detached: true,
      cwd: '/',
      env: { PATH: process.env['PATH'] },
    });
    const ended = () => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    shell.on('error', ended).on('exit', ended).unref();
    shell.stdin.on('error', ended);
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    this.#shell = shell;
  }

  #write(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}
