/** A store of tasks: text by key. Tasks outlive the process if the store does. */
export interface TaskStore {
  get(key: string): Promise<string | undefined>;
  /** Stores `text` atomically, even if the process ends meanwhile; resolves once it is durable. */
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}
