import { execFile } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

/** A pipe. This process reads from `reader`; a child process writes to the file descriptor `writer`. */
export interface OutputPipe {
  readonly reader: Socket;
  readonly writer: number;
}

/**
 * Makes one pipe for stdout and stderr, so that their lines stay in the order in which they were written.
 * With the two sockets that Node would make instead, this order would be lost, and the program could not open
 * `/dev/stderr`. Returns undefined without `mkfifo`.
 * @param directory a directory that only this user can write
 * @param search the directories in which `mkfifo` is searched for, as in PATH
 */
export async function openPipe(directory: string, search: string): Promise<OutputPipe | undefined> {
  const path = join(directory, 'output');
  try {
    await promisify(execFile)(findProgram('mkfifo', '/', search), ['-m', '600', path]);
  } catch {
    return undefined;
  }
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    // Opens the pipe through its descriptor where possible: the agent could replace the pipe at `path` by a
    // link to a file of the user.
    const writer = openSync(process.platform === 'linux' ? `/proc/self/fd/${fd}` : path, constants.O_WRONLY);
    if (!isSamePipe(fd, writer)) {
      closeSync(writer);
      throw new Error(
        `The pipe for the output was replaced by another file: "${path}"; the command was not run`,
      );
    }
    return { reader: new Socket({ fd, readable: true, writable: false }), writer };
  } catch (error) {
    closeSync(fd);
    throw error;
  } finally {
    unlinkSync(path);
  }
}

function isSamePipe(one: number, other: number): boolean {
  const [a, b] = [fstatSync(one), fstatSync(other)];
  return a.isFIFO() && a.dev === b.dev && a.ino === b.ino;
}
