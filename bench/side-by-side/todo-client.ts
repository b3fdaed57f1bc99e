/** How the user answers the question of a server; `cannot`: the client shows no forms. */
export type Answer = 'accept' | 'decline' | 'cannot';

/** A program to start, and the user in front of it. */
export interface Opening {
  readonly program: string;
  /** The directory of the lists. */
  readonly lists: string;
  readonly revision: Revision;
  readonly answer: Answer;
  /** Called with each question. */
  readonly asked: (question: string) => void;
}

/** The newest revision with a handshake. */
export const handshake = '2025-11-25';

export const stateless = '2026-07-28';

export const revisions = [handshake, stateless] as const;
export type Revision = (typeof revisions)[number];

/** What both clients can do, in the same words. */
export interface TodoClient {
  /** The revision that the server agreed to. */
  readonly revision: string;
  readonly callTool: (
    name: string,
    args: { readonly [name: string]: unknown },
    options?: { readonly signal?: AbortSignal; readonly onProgress?: (done: number) => void },
  ) => Promise<ToolResult>;
  readonly templates: () => Promise<string[]>;
  readonly read: (uri: string) => Promise<string>;
  readonly complete: (template: string, variable: string, typed: string) => Promise<readonly string[]>;
  readonly subscribe: (uri: string, updated: (uri: string) => void) => Promise<unknown>;
  readonly prompt: (name: string, args: Readonly<Record<string, string>>) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}
