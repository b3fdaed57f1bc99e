import { unref } from '@mcp/kit';
import type { StreamEntry, StreamStore } from '../../../state/shared-store.ts';
import { EventStream } from '../../wire/event-stream.ts';
import type { ProcessLease } from '../../../state/process-lease.ts';
import { StreamFollower } from '../../../state/stream-follower.ts';
import { openingIn, type StreamOpening } from './stream-opening.ts';

interface ResumeOptions {
  readonly streams: StreamStore;
  readonly lease: ProcessLease;
  readonly name: string;
  /** The place of the last event that the client has. */
  readonly place: number;
  readonly idOf: (place: number) => string;
}

/** How long the end of a stream is kept that this process writes in place of another. */
const endedMs = 5 * 60_000;
/**
 * A process counts as ended when its lease is missing at so many checks in a row: after a failure of the
 * store, each process needs a moment to renew its lease.
 */
const maxMissing = 3;

/** The opening of a stored stream; undefined if it is not stored any more. */
export async function openingOf(streams: StreamStore, name: string): Promise<StreamOpening | undefined> {
  return openingIn((await streams.after(name, 0))?.[0]?.text);
}

/**
 * Sends what a client has missed of a stream, and what is still to come, whichever process answers the
 * request. If that process has ended, so does the stream, with an error. Undefined if the stream or a missed
 * message is not stored any more.
 */
export async function resumeStream(options: ResumeOptions): Promise<EventStream | undefined> {
  const { streams, name, place, lease, idOf } = options;
  const entries = (await streams.after(name, 0)) ?? [];
  const opening = entries[0]?.place === 1 ? openingIn(entries[0].text) : undefined;
  const next = entries.find((entry) => entry.place > place);
  if (!opening || (next && next.place !== Math.max(place, 1) + 1)) return undefined;
  const events = new EventStream();
  if (!next && entries.at(-1)?.last) {
    events.end();
    return events;
  }
  const send = ({ place: at, text }: StreamEntry) => {
    if (text !== '') events.send({ id: idOf(at), data: text });
  };
  const follower = new StreamFollower({
    streams,
    name,
    place: Math.max(place, 1),
    heard: send,
    ended: () => events.end(),
  });
  let missing = 0;
  const check = async () => {
    const isThere = await lease.isHeld(opening.process).catch(() => true);
    missing = isThere ? 0 : missing + 1;
    if (missing >= maxMissing) await endAbandoned(options, opening, follower).catch(() => undefined);
  };
  const timer = unref(setInterval(() => void check(), lease.intervalMs));
  void check();
  events.whenClosed(() => {
    clearInterval(timer);
    follower.stop();
  });
  return events;
}

/** Ends a stream whose process is gone. If that process comes back, it can add nothing. */
async function endAbandoned(
  { streams, name }: ResumeOptions,
  { failure }: StreamOpening,
  follower: StreamFollower,
): Promise<void> {
  const end = { at: follower.place + 1, last: true, existing: true, ttlMs: endedMs };
  await streams.append(name, [failure], end);
  follower.read();
}
