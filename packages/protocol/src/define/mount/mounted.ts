import type { Caller } from '../caller.ts';
import type { ServedExtension } from '../extension.ts';
import type { LiveList } from '../live-list.ts';
import type { Prompt } from '../prompt.ts';
import type { Resource } from '../resource.ts';
import type { Tool } from '../tool.ts';

/** One list of a mounted server. */
export interface MountedList<T> {
  readonly list: LiveList<T>;
  /** Whether the list may change while it is served. */
  readonly live: boolean;
  /** Whether the list is loaded after the handshake. */
  readonly deferred: boolean;
}

/** A server as a part of another one: an element of `mounts` of `defineServer`. */
export interface Mount<in Who = Caller | undefined> {
  readonly tools: MountedList<Tool<object>>;
  readonly resources: MountedList<Resource<object>>;
  readonly prompts: MountedList<Prompt<object>>;
  readonly extensions: readonly ServedExtension<object>[];
  /** Loads what the mounted server loads after the handshake. */
  readonly load: (() => Promise<void>) | undefined;
  /** Never set. With this member, the compiler checks the type of the callers (`Who`). */
  readonly expects?: (caller: Who) => void;
}
