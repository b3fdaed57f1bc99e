/** Where tasks are kept: text by key. Written over whatever outlives a process, tasks outlive it too. */
export interface TaskStore {
  get(key: string): Promise<string | undefined>;
  /** Keeps `text` whole or not at all, also where the process ends meanwhile; resolves once it will last. */
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}
