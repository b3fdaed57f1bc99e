import { unref } from '@mcp/kit';
import type { InputResponse } from '../../define/input/input.ts';
import type { SharedStore } from '../../state/shared-store.ts';
import { StreamFollower } from '../../state/stream-follower.ts';

/** What a process that does not run a task tells the one that does. */
export type TaskCommand =
  | { readonly kind: 'cancel'; readonly taskId: string }
  | {
      readonly kind: 'answer';
      readonly taskId: string;
      readonly responses: { readonly [key: string]: InputResponse };
    };

/** How long the commands for a process are kept, of which it takes each at once. */
const ttlMs = 24 * 60 * 60_000;

/** The other processes that work on the tasks of a server: commands to them, and changes of their tasks. */
export class OtherWorkers {
  readonly #store: SharedStore;
  /** The interval at which a task is looked at whose process may have ended. */
  readonly #checkMs: number;
  #opened: Promise<void> | undefined;

  constructor(store: SharedStore, checkMs: number) {
    this.#store = store;
    this.#checkMs = checkMs;
  }

  /** Takes commands for this worker from now on. */
  open(worker: string, take: (command: TaskCommand) => void): Promise<void> {
    return (this.#opened ??= this.#open(worker, take).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  /** Tells the process with this worker; returns false if it takes no commands. */
  tell(worker: string, command: TaskCommand): Promise<boolean> {
    return this.#store.streams.append(streamOf(worker), [JSON.stringify(command)], { existing: true, ttlMs });
  }

  /** Called after a task of this process was stored. A failure is ignored: those who watch look again. */
  async changed(taskId: string): Promise<void> {
    await this.#store.bus.publish(channelOf(taskId), '').catch(() => undefined);
  }

  /** Calls `changed` when a task may have changed, until the returned function is called. */
  async watch(taskId: string, changed: () => void): Promise<() => void> {
    const stop = await this.#store.bus.subscribe(channelOf(taskId), changed, changed);
    const timer = unref(setInterval(changed, this.#checkMs));
    return () => {
      clearInterval(timer);
      void stop();
    };
  }

  async #open(worker: string, take: (command: TaskCommand) => void): Promise<void> {
    const { streams } = this.#store;
    const name = streamOf(worker);
    await streams.append(name, [''], { at: 1, ttlMs });
    const heard = ({ place, text }: { place: number; text: string }) => {
      take(JSON.parse(text) as TaskCommand);
      // The newest text stays, so that the next one gets its place. What is not deleted now expires.
      void streams.trim(name, [place - 1]).catch(() => undefined);
    };
    new StreamFollower({ streams, name, place: 1, waits: true, heard, ended: () => {} });
  }
}

function streamOf(worker: string): string {
  return `tasks:${worker}`;
}

function channelOf(taskId: string): string {
  return `task:${taskId}`;
}
