import type { Call, Caller, ToolAnnotations } from '@mcp/protocol';
import type { Operation } from './document/operations.ts';
import type { Selection } from './document/select-operations.ts';

/** Names and values that are sent with requests. */
export type Values = { readonly [name: string]: string };

/** The same values for each request, or a function that returns those of one call. */
export type ValuesOf<Context, Who> =
  | Values
  | ((call: Call<Context, Who>, operation: Operation) => Values | Promise<Values>);

/** What an author changes in the tool of one operation. */
export interface OperationOptions {
  /** The name of the tool. Default: the id, with `_` for each character but letters, digits, `_` and `-`. */
  readonly name?: string;
  /** The title for people. Default: the summary. */
  readonly title?: string;
  /** Default: the summary and the description of the operation, up to 1,000 characters. */
  readonly description?: string;
  /** Replaces the descriptions of arguments. */
  readonly descriptions?: Values;
  /** Arguments that the tool does not have, and that are never sent. */
  readonly omit?: readonly string[];
  /** Arguments that the tool does not have, and the values that are sent in their place. */
  readonly fixed?: { readonly [argument: string]: unknown };
  /** Replaces hints that follow from the method. */
  readonly annotations?: ToolAnnotations;
  /** The scopes that a caller of the tool needs; see `defineTool`. */
  readonly requires?: readonly string[];
  /**
   * Whether results that are objects are structured content, whose schema is that of the document. A response
   * that does not match it is an error. Default: true.
   */
  readonly structured?: boolean;
}

/** The options of `openApiTools`. */
export interface OpenApiOptions<Context = object, Who = Caller | undefined> {
  /** The URL that the paths are appended to. The `servers` of the document are not used. */
  readonly baseUrl: string | URL;
  readonly select: Selection;
  /** Changes of the tools, by the ids of their operations. */
  readonly operations?: { readonly [id: string]: OperationOptions };
  /** Headers of each request, such as `authorization`. They replace those that come from arguments. */
  readonly headers?: ValuesOf<Context, Who>;
  /** Parameters of the query of each request, such as an API key. They replace those of arguments. */
  readonly query?: ValuesOf<Context, Who>;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly limits?: Limits;
}

/** The limits of tools and their requests. */
export interface Limits {
  /** How many operations may be chosen. Default: 100. */
  readonly maxTools?: number;
  /** Until the response has been read. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** The bytes of a response, decompressed. Default: 1 MiB. */
  readonly maxResponseBytes?: number;
  /** The characters of the response to an error that the model reads. Default: 4,000. */
  readonly maxErrorLength?: number;
  /**
   * The characters of the JSON of a tool's schema. A larger schema of arguments is refused; one of results is
   * replaced by that of any object. Default: 50,000.
   */
  readonly maxSchemaLength?: number;
}
