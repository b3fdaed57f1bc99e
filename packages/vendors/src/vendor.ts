/** JSON Schema as a plain object. */
export type Schema = { readonly [keyword: string]: unknown };

/** A tool of a server, as `tools/list` has it. */
export interface SourceTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
}

/** Which tool of which server. */
export interface ToolAddress {
  readonly server: string;
  readonly tool: string;
}

export interface ServerTool {
  readonly server: string;
  readonly tool: SourceTool;
}

/** Something that a vendor's format cannot express. */
export interface Note extends ToolAddress {
  /** A JSON Pointer into the tool's input schema; empty for the tool itself. */
  readonly path: string;
  readonly message: string;
}

export interface VendorOptions {
  /** Asks the vendor to hold the model to the schema, where the schema can be expressed. */
  readonly strict?: boolean | undefined;
}

/** The tools in a vendor's format. */
export interface VendorTools {
  /** The value of the request's `tools`. */
  readonly tools: readonly unknown[];
  /** Which tool each vendor name means; names are mapped back by this table alone. */
  readonly names: ReadonlyMap<string, ServerTool>;
  readonly notes: readonly Note[];
}

/** One call in a model's message. */
export interface VendorCall {
  /** What the result refers to; missing where the vendor gave none. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: Arguments;
  /** Why the arguments cannot be read; `args` is empty then. */
  readonly invalid?: string;
}

export type Arguments = { readonly [name: string]: unknown };

/** A block of a tool's result, as `tools/call` has it. */
export type ResultBlock = { readonly type: string; readonly [key: string]: unknown };

/** What a call came to. */
export interface CallOutcome {
  readonly call: VendorCall;
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** One vendor's function calling, in both directions. All functions are pure. */
export interface Vendor {
  /** The tools as the vendor's request has them. */
  toTools(tools: readonly ServerTool[], options: VendorOptions): VendorTools;
  /** The calls in a model's message or response; throws an `Error` where it is none. */
  readCalls(message: unknown): readonly VendorCall[];
  /** The arguments as the tool's own schema has them, where strict mode has changed it. */
  restoreArguments?(args: Arguments, schema: Schema): Arguments;
  /** The messages that answer all calls of one message, in their order. */
  toResults(outcomes: readonly CallOutcome[]): readonly unknown[];
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
