import { connect, type Socket } from 'node:net';
import type { Environment } from '@mcp/protocol/stdio';
import type { StdioTarget } from '../config/entry/server-entry.ts';

/** What a command tells about the server that it wants to use. */
export interface WantedServer {
  readonly name: string;
  /** The file that configures the server, and how the command has loaded it; undefined for `-- command`. */
  readonly configured?: {
    readonly file: string;
    readonly files: readonly string[] | undefined;
    readonly cwd: string;
  };
  /** The process of the server; `env` is its whole environment. */
  readonly process: Pick<StdioTarget, 'command' | 'args'> & {
    readonly env: Environment;
    readonly cwd: string;
    readonly umask: number;
    /** The state of the files that are executed: a changed program is another server. */
    readonly program: readonly (readonly [mtimeMs: number, size: number])[];
  };
  /** The roots that the command answers with; servers before revision 2026-07-28 keep them. */
  readonly roots: readonly unknown[] | undefined;
}

/** The first line of a connection, as JSON; the first line of the answer is JSON, too. */
export type KeepRequest =
  /** The answer is `{ "run": number }`; then both sides send the messages of the server, one per line. */
  | { readonly use: WantedServer }
  | { readonly idleMs: number }
  | { readonly status: true }
  | { readonly stop: true };

/** A kept server, as `mcp keep status` shows it. */
export interface KeptStatus {
  readonly name: string;
  readonly pid: number | undefined;
  readonly inUse: boolean;
}

/** What the process of `mcp keep` tells a command about its server, in a line between the messages. */
export type KeepNote =
  | { readonly stderr: string }
  /** The server has sent data that is no message. */
  | { readonly malformed: string; readonly code: number }
  /**
   * The server has ended, and why; undefined if `mcp keep` has ended it. `notStarted`: because it could not
   * be started.
   */
  | { readonly ended: string | undefined; readonly notStarted: boolean };

const noteStart = '{"keep":';

export function noteText(note: KeepNote): string {
  return `${noteStart}${JSON.stringify(note)}}`;
}

/** The line for a message of the server; one that looks like a note gets a space, which JSON ignores. */
export function messageText(text: string): string {
  return text.startsWith(noteStart) ? ` ${text}` : text;
}

/** Reads a line; undefined for a message of the server. */
export function noteIn(text: string): KeepNote | undefined {
  return text.startsWith(noteStart) ? (JSON.parse(text) as { keep: KeepNote }).keep : undefined;
}

/**
 * Sends a request to the process at `address`. Returns the answer and the connection, which is paused;
 * undefined if no process answers within `ms` milliseconds.
 */
export function ask(
  address: string,
  request: KeepRequest,
  ms = 1_000,
): Promise<{ readonly answer: unknown; readonly socket: Socket } | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const fail = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(undefined);
    };
    const timer = setTimeout(fail, ms);
    socket.once('error', fail).once('close', fail);
    socket.once('data', (chunk) => {
      clearTimeout(timer);
      socket.pause().off('close', fail);
      resolve({ answer: JSON.parse(String(chunk)), socket });
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
}
