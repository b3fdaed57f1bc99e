import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { ConnectionClosed, type Receiver, RpcError } from '@mcp/protocol/client';
import { serverEnvironment, ServerNotStarted, StreamChannel } from '@mcp/protocol/stdio';
import type { ServerEntry, StdioTarget } from '../config/entry/server-entry.ts';
import type { LoadOptions } from '../config/load-configuration.ts';
import { ask, noteIn, type WantedServer } from './keep-request.ts';

/** Each command has ids of its own for its requests: `run` counts the commands. */
const idsOfRun = 10_000;

/** A channel to a kept server. */
export interface KeptConnection {
  readonly channel: KeptChannel;
  /** The id of the first request: the server may still know earlier ones from the commands before. */
  readonly firstId: number;
}

/** The server of an entry, as the process of `mcp keep` must start it for this command. */
export function wantedServer(
  { name, origin }: ServerEntry,
  { command, args, env, cwd = process.cwd() }: StdioTarget,
  { files }: LoadOptions,
): Omit<WantedServer, 'roots'> {
  return {
    name,
    ...(origin && {
      configured: {
        file: resolve(origin.file),
        files: files?.map((each) => resolve(each)),
        cwd: process.cwd(),
      },
    }),
    process: {
      command,
      args,
      env: serverEnvironment(env),
      cwd,
      umask: process.umask(),
      program: stateOf(command, args, cwd),
    },
  };
}

/** The names of files that other programs execute. Servers change the files of other names. */
const script = /\.(?:[cm]?[jt]sx?|py|rb|php|sh|jar)$/i;

/** The state of the files that a command line executes. */
function stateOf(command: string, args: readonly string[], cwd: string): WantedServer['process']['program'] {
  return [command, ...args.filter((each) => script.test(each))].flatMap((word) => {
    try {
      const { mtimeMs, size } = statSync(resolve(cwd, word));
      return [[mtimeMs, size] as const];
    } catch {
      // The word is no path, such as a command on the PATH or a package.
      return [];
    }
  });
}

/** Connects to a server that the process at `address` keeps or starts; undefined if no process answers. */
export async function openKept(
  address: string,
  wanted: WantedServer,
  stderr: (line: string) => void,
): Promise<KeptConnection | undefined> {
  const reply = await ask(address, { use: wanted });
  if (!reply) return undefined;
  const { run } = reply.answer as { run: number };
  return { channel: new KeptChannel(reply.socket, stderr), firstId: 1 + run * idsOfRun };
}

/** The messages of a kept server, between which are notes about its stderr and its end. */
class KeptChannel extends StreamChannel {
  readonly #socket: Socket;
  readonly #stderr: (line: string) => void;

  constructor(socket: Socket, stderr: (line: string) => void) {
    super(socket, socket);
    this.#socket = socket;
    this.#stderr = stderr;
  }

  override open(receiver: Receiver): void {
    let reason = new ConnectionClosed('The process of "mcp keep" has ended, and the server with it');
    super.open({
      message: (text) => {
        const note = noteIn(text);
        if (!note) return receiver.message(text);
        if ('stderr' in note) return this.#stderr(note.stderr);
        if ('malformed' in note) return receiver.malformed(new RpcError(note.code, note.malformed));
        const Reason = note.notStarted ? ServerNotStarted : ConnectionClosed;
        if (note.ended !== undefined) reason = new Reason(note.ended);
      },
      malformed: (error) => receiver.malformed(error),
      ended: () => receiver.ended(reason),
    });
    this.#socket.resume();
  }

  override close(): Promise<void> {
    // The process of this command need not wait for the other end.
    this.#socket.unref();
    return super.close();
  }
}
