import type { Contender } from './contender.ts';
import type { Session } from './session.ts';

/** The calls that complete a task; returns the fact found, if the task is a question. */
export type Calls = (session: Session, world: string) => Promise<string | undefined | void>;

/** A task, with what it starts from and the calls of each contender. */
export interface Task {
  /** A letter for the server and a number, such as "F01". */
  readonly id: string;
  /** The task as a person says it to a model. */
  readonly instruction: string;
  /** Creates what the task starts from; called again for each contender. */
  world(directory: string): Promise<void> | void;
  readonly ours: Calls;
  /** The calls of a peer, by its name; or why it cannot complete the task. */
  readonly peers: Readonly<Record<string, Calls | string>>;
  /** Throws unless the task is completed: checks the files, or the fact found. */
  verify(directory: string, answer: string | undefined): Promise<void> | void;
  /** Why a peer may need fewer calls or bytes. */
  readonly exception?: string;
}

/** The tasks of one server. */
export interface TaskSet {
  readonly ours: Contender;
  readonly peers: readonly Contender[];
  readonly tasks: readonly Task[];
}
