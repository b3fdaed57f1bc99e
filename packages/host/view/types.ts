import type { ShownSkill } from '../src/inspect/shown.ts';

export type Json = { readonly [key: string]: unknown };

/** An item of a list of the server, with what the page needs of it. */
export type Item = Json & {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
};

export interface Opened {
  readonly revision: string;
  readonly serverInfo?: { readonly name: string; readonly title?: string; readonly version: string };
  readonly capabilities: Json;
  readonly instructions?: string;
  readonly problems: readonly string[];
  readonly tools: readonly (Item & {
    readonly inputSchema: Json;
    readonly outputSchema?: Json;
    readonly annotations?: Json;
    readonly _meta?: Json;
  })[];
  readonly resources: readonly (Item & { readonly uri: string; readonly mimeType?: string })[];
  readonly templates: readonly (Item & { readonly uriTemplate: string })[];
  readonly skills: readonly ShownSkill[];
  /** The names of the tools whose calls may be tasks. */
  readonly taskTools: readonly string[];
  readonly prompts: readonly (Item & {
    readonly arguments?: readonly (Item & { readonly required?: boolean })[];
  })[];
}

/** What the server has answered to a call. */
export interface Answer {
  readonly text: string;
  readonly structuredContent?: unknown;
  readonly result?: Json;
  readonly isError: boolean;
  readonly code?: number;
  readonly ms: number;
  readonly bytes: number;
}

export interface Message {
  readonly number: number;
  readonly time: number;
  readonly server: string;
  readonly connection: number;
  readonly from: 'client' | 'server';
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'other';
  readonly method: string;
  readonly id: string;
  readonly about: string;
  readonly ms?: number;
  readonly bytes: number;
  readonly text: string;
}

export interface Question {
  readonly number: number;
  readonly server: string;
  readonly kind: 'elicitation' | 'sampling';
  readonly params: Json;
}

/** A call that continues after its response. */
export interface ShownTask {
  readonly server: string;
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly tool?: string;
  readonly isOver: boolean;
  readonly answer?: Answer;
  readonly trouble?: string;
}

/** What the page knows of all servers. */
export interface Surroundings {
  readonly servers: readonly string[];
  readonly revisions: readonly string[];
  /** Whether servers can be examined and compared. */
  readonly checks: boolean;
  /** The version of `mcp`. */
  readonly version: string;
}

/** What an examination has found. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'note' | 'warning' | 'fault';
  readonly message: string;
  readonly mend?: string;
}

/** A difference between two servers. */
export interface ListChange {
  readonly list: string;
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly breaking: boolean;
  readonly details: readonly { readonly text: string; readonly breaking: boolean }[];
}

export type PageEvent =
  | ({ readonly event: 'servers' } & Surroundings)
  | { readonly event: 'messages'; readonly messages: readonly Message[] }
  | { readonly event: 'question'; readonly question: Question }
  | { readonly event: 'answered'; readonly number: number }
  | { readonly event: 'updated'; readonly server: string; readonly uri: string }
  | { readonly event: 'task'; readonly task: ShownTask }
  | { readonly event: 'closed'; readonly server: string }
  | {
      readonly event: 'progress';
      readonly call: string;
      readonly done: number;
      readonly total?: number;
      readonly message?: string;
    };
