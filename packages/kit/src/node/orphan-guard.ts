import type { ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export interface OrphanGuardOptions {
  /** `spawn` of `node:child_process`, passed in so that a program can load that module later. */
  readonly spawn: typeof spawn;
  /** Seconds in which the guarded process groups may end by themselves after this process has ended. */
  readonly pauseSeconds: number;
  /** How many seconds the process groups have between SIGTERM and SIGKILL. */
  readonly graceSeconds: number;
  /**
   * Milliseconds from the first `add` until the shell that guards the processes starts; `startWithin` can
   * shorten this time.
   */
  readonly startMs: number;
  /**
   * The beginning of an environment variable, as `NAME=value`, that all guarded processes have. On Linux,
   * processes with such a variable are ended, by SIGKILL, even if they have left their group. Letters, digits
   * and `-_=` only.
   */
  readonly mark?: string;
  /** The variable `PATH` of the guard's shell. Default: that of this process. */
  readonly path?: string;
}

/**
 * The shell script of the guard. Its arguments are `mark`, `pauseSeconds`, `graceSeconds`, and the process
 * groups. Lines `+ group` and `- group` on its stdin change the list of groups. Its stdin ends when this
 * process ends, in whatever way; then the shell ends the groups.
 */
const program = `set -f
trap '' HUP INT TERM
mark=$1 pause=$2 grace=$3
shift 3
groups=" $* "
while read -r change group; do
  case "$change$groups" in
    +*) groups="$groups$group " ;;
    -*" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
finish() {
  [ "$mark" ] || exit 0
  set +f
  for file in $(grep -lsz -e "^$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s KILL -- "\${pid%/environ}"
  done
  exit 0
}
living() {
  left=
  for group in $groups; do kill -s 0 -- "-$group" && left="$left $group"; done
  groups=$left
  [ "$groups" ] || finish
}
living
if [ "$pause" -gt 0 ]; then sleep "$pause"; fi
living
for group in $groups; do kill -s TERM -- "-$group"; done
while [ "$grace" -gt 0 ]; do
  living
  sleep 1
  grace=$((grace - 1))
done
living
for group in $groups; do kill -s KILL -- "-$group"; done
finish`;

/**
 * Runs a shell that ends the process groups which this process leaves behind, even if this process is killed
 * by SIGKILL. On Windows, which has no process groups, nothing is started.
 */
export class OrphanGuard {
  readonly #options: OrphanGuardOptions;
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer will start the shell, as `performance.now()`; Infinity if no start is planned. */
  #startsAt = Infinity;

  constructor(options: OrphanGuardOptions) {
    this.#options = options;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#shell) this.#write(`+ ${group}`);
    else this.startWithin(this.#options.startMs);
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#write(`- ${group}`);
  }

  /** Starts the shell after `ms` milliseconds, 0 for now, unless it runs already or starts sooner. */
  startWithin(ms: number): void {
    if (this.#shell || process.platform === 'win32') return;
    const at = performance.now() + ms;
    // A planned start that is due comes only in the next turn of the event loop.
    if (ms > 0 && at >= this.#startsAt) return;
    clearTimeout(this.#timer);
    if (ms === 0) return this.#start();
    this.#startsAt = at;
    this.#timer = setTimeout(() => this.#start(), ms).unref();
  }

  #start(): void {
    this.#startsAt = Infinity;
    const { spawn, pauseSeconds, graceSeconds, mark = '', path = process.env['PATH'] } = this.#options;
    const args = [mark, pauseSeconds, graceSeconds, ...this.#groups].map(String);
    const shell = spawn('/bin/sh', ['-c', program, 'sh', ...args], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // The shell has a process group of its own, because a terminal sends signals such as that of Ctrl-C to
      // the whole group of this process. It runs in `/`, so that it keeps no other directory in use.
      detached: true,
      cwd: '/',
      env: { PATH: path },
    });
    this.#shell = shell;
    const ended = () => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    shell.on('error', ended).on('exit', ended).unref();
    shell.stdin?.on('error', ended);
    (shell.stdin as Socket | null)?.unref();
  }

  #write(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}
