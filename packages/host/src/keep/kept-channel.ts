import type { Socket } from 'node:net';
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

/** The server of an entry, as the keeping process must start it for this process. */
export function wantedServer(
  { name, origin }: ServerEntry,
  { command, args, env, cwd = process.cwd() }: StdioTarget,
  { files }: LoadOptions,
): Omit<WantedServer, 'roots'> {
  const directory = process.cwd();
  return {
    name,
    ...(origin && { configured: { file: origin.file, files, cwd: directory } }),
    process: { command, args, env: definedIn(serverEnvironment(env)), cwd, umask: process.umask() },
  };
}

function definedIn(env: ReturnType<typeof serverEnvironment>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
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
    let reason: Error | undefined = new ConnectionClosed(
      'The process of "mcp keep" has ended, and the server with it; the next command starts the server itself',
    );
    super.open({
      message: (text) => {
        const note = noteIn(text);
        if (!note) return receiver.message(text);
        if ('stderr' in note) return this.#stderr(note.stderr);
        if ('malformed' in note) return receiver.malformed(new RpcError(note.code, note.malformed));
        const Reason = note.notStarted ? ServerNotStarted : ConnectionClosed;
        reason = note.ended === undefined ? undefined : new Reason(note.ended);
      },
      malformed: (error) => receiver.malformed(error),
      ended: () => receiver.ended(reason),
    });
    this.#socket.resume();
  }
}
