import type { JsonSchema } from './content/json-schema.ts';
import type { ResultBlock } from './content/result-blocks.ts';

/** A tool as its server lists it: the entry of `tools/list`, of which more fields are ignored. */
export interface SourceTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The arguments as JSON Schema 2020-12; keywords that are not well formed are left out, with a note. */
  readonly inputSchema: JsonSchema;
}

/** Which tool of which server. */
export interface ToolAddress {
  readonly server: string;
  readonly tool: string;
}

/** A tool with the name of its server; any group of tools can be a server. */
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
  /**
   * Asks the vendor to hold the model to the schema; defaults to false. A schema that strict mode cannot
   * express is sent without it, with a note.
   */
  readonly strict?: boolean | undefined;
}

/** The tools in a vendor's format. */
export interface VendorTools {
  /** The value of the request's `tools`. */
  readonly tools: readonly unknown[];
  /** The tool that each vendor name means; names are mapped back by this table alone. */
  readonly names: ReadonlyMap<string, ServerTool>;
  readonly notes: readonly Note[];
}

/** One call in a model's message. */
export interface VendorCall {
  /** The id that the result refers to; undefined if the vendor gave none. */
  readonly id: string | undefined;
  /** A name of `VendorTools.names`, or one that the model has invented. */
  readonly name: string;
  /** The arguments in the form that the vendor's schema has; see `Vendor.restoreArguments`. */
  readonly args: Arguments;
  /** Why the arguments cannot be read; `args` is empty then. */
  readonly invalid?: string;
}

export type Arguments = { readonly [name: string]: unknown };

/** The result of a call. */
export interface CallOutcome {
  readonly call: VendorCall;
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
}

/** The function calling of one vendor, in both directions. All functions are pure. */
export interface Vendor {
  /** Returns the tools as the vendor's request has them, with legal and stable names. */
  toTools(tools: readonly ServerTool[], options?: VendorOptions): VendorTools;
  /**
   * Returns the calls in a model's message, in their order. Takes the message, a list of its parts or the
   * whole response. Throws an `Error` that names the expected shapes if it is given another value.
   */
  readCalls(message: unknown): readonly VendorCall[];
  /**
   * Returns the arguments of a call as the tool's own `inputSchema` has them: without the nulls of OpenAI's
   * strict mode, and under the names that Anthropic refuses.
   */
  restoreArguments(args: Arguments, schema: JsonSchema): Arguments;
  /** Returns the messages, items or contents that answer all calls of one message, in their order. */
  toResults(outcomes: readonly CallOutcome[]): readonly unknown[];
}
