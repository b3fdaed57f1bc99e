/** A server program, ours or a peer, started once for each task. */
export interface Contender {
  readonly name: string;
  /**
   * The arguments for Node, and the environment beside PATH and HOME; `world` is the directory of the task.
   */
  start(world: string): { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };
}
