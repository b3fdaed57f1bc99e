import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Leave } from './listen.ts';

/** For at most this long, in milliseconds, connections are accepted while they keep coming. */
const maxAcceptingMs = 1_000;
/** Connections that do not carry a request within this time, in milliseconds, are closed without one. */
const maxSilenceMs = 100;

/** A listener with its connections, and how it is left. */
export interface Listening {
  readonly listener: HttpServer;
  readonly sockets: ReadonlySet<Socket>;
  readonly leave: Leave;
}

/**
 * Stops listening, answers the requests that have come or are on their way, calls `end`, and closes the
 * connections: those whose clients have not read their answers `graceMs` after `end`.
 */
export async function closeListener(
  { listener, sockets, leave }: Listening,
  end: () => Promise<void>,
  graceMs: number,
): Promise<void> {
  const started = performance.now();
  // The system resets connections that nobody has accepted when their listener is closed.
  while (await hasAccepted(listener)) if (performance.now() > started + maxAcceptingMs) break;
  const closed = new Promise<void>((resolve) => leave(() => listener.close(() => resolve())));
  const left = performance.now();
  do await turn();
  while (silent(sockets).length > 0 && performance.now() < left + maxSilenceMs);
  await end();
  // Node does not count connections as idle that have never carried a request.
  for (const socket of silent(sockets)) socket.destroy();
  // Answers are still being delivered.
  const idle = setInterval(() => listener.closeIdleConnections(), 20);
  const late = setTimeout(() => listener.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Whether a connection is accepted in a turn of the event loop, which accepts one of those that wait. */
async function hasAccepted(listener: HttpServer): Promise<boolean> {
  let isAccepted = false;
  const accepted = () => void (isAccepted = true);
  listener.once('connection', accepted);
  await turn();
  listener.off('connection', accepted);
  return isAccepted;
}

/** Waits until the event loop has looked for connections and data: it may do so after the first of these. */
async function turn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function silent(sockets: ReadonlySet<Socket>): Socket[] {
  return [...sockets].filter((socket) => socket.bytesRead === 0);
}
