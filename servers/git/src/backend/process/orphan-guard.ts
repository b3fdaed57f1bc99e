import type { ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export const shell = '/bin/sh';

/**
 * The guard's program: keeps the process groups that it reads ("+ 123", "- 123"). At the end of its input,
 * which is the end of this process, it ends those that are left: with SIGTERM, on which git removes its lock
 * files, then with SIGKILL.
 */
const program = `set -f
trap '' HUP INT TERM
groups=' '
while read -r change group; do
  case "$change$groups" in
    +*) groups="$groups$group " ;;
    -*" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group"; done
for wait in 1 2 3; do
  left=
  for group in $groups; do kill -s 0 -- "-$group" && left="$left $group"; done
  groups=$left
  [ "$groups" ] || exit 0
  sleep 1
done
for group in $groups; do kill -s KILL -- "-$group"; done`;

/**
 * A shell's program that runs a command only when it has read a line, which a process that was killed cannot
 * write.
 */
export const gate = 'read -r line && exec "$0" "$@"';

/**
 * Ends the process groups of this process when SIGKILL or a crash ends it: a shell, started for the first
 * group, waits for the end of a pipe.
 */
export class OrphanGuard {
  readonly #spawn: typeof spawn;
  readonly #groups = new Set<number>();
  #child: ChildProcess | undefined;

  constructor(start: typeof spawn) {
    this.#spawn = start;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#child) this.#send(`+ ${group}\n`);
    else this.#start();
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#send(`- ${group}\n`);
  }

  #send(line: string): void {
    this.#child?.stdin?.write(line);
  }

  #start(): void {
    // Detached, so that a signal to the whole group of this process does not end the guard before its work.
    const child = this.#spawn(shell, ['-c', program], {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#child = child;
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.on('error', forget).on('exit', forget);
    child.stdin?.on('error', forget);
    child.unref();
    (child.stdin as Socket | null)?.unref();
    for (const group of this.#groups) this.#send(`+ ${group}\n`);
  }
}
