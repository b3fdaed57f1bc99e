import type { JsonSchema } from './content/json-schema.ts';
import type { ResultBlock } from './content/result-blocks.ts';

/** A tool in the form of `tools/list`; further fields are ignored. */
export interface SourceTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The arguments as JSON Schema 2020-12. Malformed keywords are left out, and a note names each of them. */
  readonly inputSchema: JsonSchema;
}

/** Identifies a tool by its server and its name. */
export interface ToolAddress {
  readonly server: string;
  readonly tool: string;
}

/** A tool and its server. `server` may be the name of any group of tools, not only of an MCP server. */
export interface ServerTool {
  readonly server: string;
  readonly tool: SourceTool;
}

/** A note on something in a tool that a vendor's format cannot express. */
export interface Note extends ToolAddress {
  /** A JSON Pointer into the tool's input schema; empty if the note is about the whole tool. */
  readonly path: string;
  readonly message: string;
}

export interface VendorOptions {
  /**
   * Whether the vendor enforces the schema; defaults to false. If strict mode cannot express the schema of a
   * tool, the tool is sent without strict mode, with a note.
   */
  readonly strict?: boolean | undefined;
}

/** The tools in a vendor's format. */
export interface VendorTools {
  /** The value for `tools` in the request. */
  readonly tools: readonly unknown[];
  /** The tools by their names for the vendor. A name cannot be mapped back to its tool without this table. */
  readonly names: ReadonlyMap<string, ServerTool>;
  readonly notes: readonly Note[];
}

/** One tool call in a model's message. */
export interface VendorCall {
  /** The id of the call, to which its result refers; undefined if the vendor gave none. */
  readonly id: string | undefined;
  /** One of the names in `VendorTools.names`, or a name that the model has invented. */
  readonly name: string;
  /** The arguments in the form of the vendor's schema; see `Vendor.restoreArguments`. */
  readonly args: Arguments;
  /** Why the arguments cannot be read; in that case `args` is empty. */
  readonly invalid?: string;
}

export type Arguments = { readonly [name: string]: unknown };

export interface CallOutcome {
  readonly call: VendorCall;
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** The function calling of one vendor, in both directions. All functions are pure. */
export interface Vendor {
  /**
   * Returns the tools in the form that a request to the vendor needs. Their names follow the vendor's rules,
   * and are the same in every run.
   */
  toTools(tools: readonly ServerTool[], options?: VendorOptions): VendorTools;
  /**
   * Returns the calls in a model's message, in their order. Takes the message, a list of its parts or the
   * whole response. Throws an `Error` that names the expected shapes if it is given another value.
   */
  readCalls(message: unknown): readonly VendorCall[];
  /**
   * Converts a call's arguments to the tool's own `inputSchema`: removes the nulls of OpenAI's strict mode,
   * and restores names of properties that Anthropic does not accept.
   */
  restoreArguments(args: Arguments, schema: JsonSchema): Arguments;
  /**
   * Returns what the next request must contain as answers to all calls of one message, in the order of the
   * calls: messages, items or contents, depending on the vendor.
   */
  toResults(outcomes: readonly CallOutcome[]): readonly unknown[];
}
