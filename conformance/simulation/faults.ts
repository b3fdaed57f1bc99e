interface Edit {
  /** A file below `packages`. */
  readonly file: string;
  readonly old: string;
  readonly now: string;
}

/** A fault that the code could have, as edits of it, for which the simulation must find a schedule. */
export interface Fault {
  readonly name: string;
  /** The seed at which the search begins: one that finds it soon. */
  readonly from: number;
  readonly edits: readonly Edit[];
}

const sessions = 'protocol/src/http/sessions';

/** The first nine are faults that other servers have had; this code had the others until it was simulated. */
export const faults: readonly Fault[] = [
  {
    name: 'the stream of a process that was killed is not ended',
    from: 190,
    edits: [
      {
        file: `${sessions}/shared/resumed-stream.ts`,
        old: 'const maxMissing = 3;',
        now: 'const maxMissing = Infinity;',
      },
    ],
  },
  {
    name: 'the listener dies while the heartbeat lives',
    from: 28,
    edits: [{ file: 'redis/src/bus.ts', old: 'safely(lost);', now: 'void lost;' }],
  },
  {
    name: 'the id of a process is captured before a fork',
    from: 0,
    edits: [
      {
        file: 'protocol/src/state/process-lease.ts',
        old: 'return (this.#id ??= crypto.randomUUID());',
        now: "return (this.#id ??= '00000000-0000-4000-8000-000000000000');",
      },
    ],
  },
  {
    name: 'the ids of streams are unique in a process only',
    from: 0,
    edits: [
      {
        file: `${sessions}/session.ts`,
        old: 'sealed && crypto.randomUUID().slice(0, 8)',
        now: "sealed && '00000000'",
      },
    ],
  },
  {
    name: 'a session is restored at a process that has forgotten it',
    from: 0,
    edits: [
      {
        file: `${sessions}/session-store.ts`,
        old: 'if (this.#shared) await session.restored();',
        now: '',
      },
    ],
  },
  {
    name: 'two processes end the stream of a dead one at once',
    from: 1700,
    edits: [
      {
        file: `${sessions}/shared/resumed-stream.ts`,
        old: 'const end = { at: follower.place + 1, last',
        now: 'const end = { last',
      },
      { file: 'redis/src/streams.ts', old: 'if ended then return 0 end', now: '' },
    ],
  },
  {
    name: 'each resumed stream has a connection of its own',
    from: 0,
    edits: [
      {
        file: 'redis/src/streams.ts',
        old: "import type { Connection } from './connection.ts';",
        now: "import { type Connection, Listener } from './connection.ts';",
      },
      {
        file: 'redis/src/streams.ts',
        old: 'return this.#bus.subscribe(channelOf(stream), changed, changed);',
        now: 'Listener.open(this.#connection).catch(() => {});\nreturn this.#bus.subscribe(channelOf(stream), changed, changed);',
      },
    ],
  },
  {
    name: 'all clients share one session',
    from: 0,
    edits: [
      {
        file: `${sessions}/session-seal.ts`,
        old: 'crypto.getRandomValues(new Uint8Array(keyBytes))',
        now: 'new Uint8Array(keyBytes)',
      },
    ],
  },
  {
    name: 'the task of a process that was killed does not fail',
    from: 0,
    edits: [
      {
        file: 'protocol/src/extensions/tasks/task-records.ts',
        old: 'return abandoned ? this.#fail(record, text) : record;',
        now: 'return abandoned && !record ? this.#fail(record, text) : record;',
      },
    ],
  },
  {
    name: 'a question is sent before its answer can be stored',
    from: 0,
    edits: [
      {
        file: 'protocol/src/server/call/client-requests.ts',
        old: 'await abortable(this.#asks(), options.signal);',
        now: 'void this.#asks();',
      },
    ],
  },
  {
    name: 'subscriptions are not tried again',
    from: 900,
    edits: [
      {
        file: `${sessions}/shared/part-of-session.ts`,
        old: 'const uris = await retried(() => this.link.subscriptions(), this.#closed.signal);',
        now: 'const uris = await this.link.subscriptions().catch(() => []);',
      },
    ],
  },
  {
    name: 'the level of a session is not read again',
    from: 3300,
    edits: [
      {
        file: `${sessions}/shared/part-of-session.ts`,
        old: 'read().catch(() => void retried(read, this.#closed.signal))',
        now: 'read().catch(() => undefined)',
      },
    ],
  },
  {
    name: 'the end of a session is told by the process that stores it alone',
    from: 0,
    edits: [
      {
        file: `${sessions}/shared/shared-sessions.ts`,
        old: "void this.tell(key, { kind: 'ended' }).catch(() => undefined);\n        return true",
        now: 'return true',
      },
      {
        file: `${sessions}/shared/shared-sessions.ts`,
        old: '.finally(() => this.#forget(key))',
        now: '',
      },
    ],
  },
  {
    name: 'a channel without an answer is not left',
    from: 2230,
    edits: [{ file: 'redis/src/bus.ts', old: 'channel.isSubscribed = undefined;', now: '' }],
  },
  {
    name: 'a channel takes a command before the late answer to another one',
    from: 23940,
    edits: [
      { file: 'redis/src/bus.ts', old: 'await this.#connection.known(() => channel.answered);', now: '' },
    ],
  },
  {
    name: 'a request whose stream opens while its process ends gets no answer',
    from: 7280,
    edits: [{ file: `${sessions}/session.ts`, old: 'if (this.#isClosing) stream.closing();', now: '' }],
  },
  {
    name: 'a stream that has closed at another process is not taken back',
    from: 58954,
    edits: [
      {
        file: `${sessions}/shared/part-of-session.ts`,
        old: 'return this.#listenAgain();',
        now: 'return;',
      },
    ],
  },
];
