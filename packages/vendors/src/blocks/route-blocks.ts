import { closestNames, messageOf } from '@mcp/kit';
import { BlockScanner } from './block-scanner.ts';
import type { Block, RefusedBlock } from './block.ts';
import { parseBlockArguments } from './parse-block-arguments.ts';
import {
  errorResultText,
  type ResourceContents,
  resourceResultText,
  type ToolResult,
  toolResultText,
} from './result-text.ts';

/** The servers that answer the blocks. */
export interface RouteTarget {
  readonly servers: readonly string[];
  /** The names of a server's tools. */
  tools(server: string): Promise<readonly string[]>;
  /**
   * For a tool that exists but that `tools` does not return, returns why it cannot be called, for example
   * because the user has not accepted it. Undefined if there is no such tool.
   */
  withheld?(server: string, tool: string): Promise<string | undefined>;
  callTool(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<ToolResult>;
  readResource(
    server: string,
    uri: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly contents: readonly ResourceContents[] }>;
}

/** The result of the call in one block of a model's text. */
export interface RoutedResult {
  /** The position of the block among the blocks of the stream, from 1. */
  readonly index: number;
  /** The number of characters before the block in the stream. */
  readonly offset: number;
  /** The server that the block names; undefined if it names no server. */
  readonly server: string | undefined;
  /** The tool that the block names; undefined if it names no tool. */
  readonly tool: string | undefined;
  /** The URI of the resource that the block reads; undefined if it names none. */
  readonly uri: string | undefined;
  /** Whether a server has answered the call or the read of this block. */
  readonly executed: boolean;
  /** Whether `text` describes an error. */
  readonly isError: boolean;
  /** The repairs that made the arguments readable. */
  readonly repairs: readonly string[];
  /** The answer for the model. */
  readonly text: string;
}

/**
 * Reads a model's text and answers its blocks in order. A block without its closing tag is not executed. If a
 * block fails, its answer is the error; the generator throws only if the stream fails or the signal aborts.
 */
export async function* routeBlocks(
  stream: AsyncIterable<string> | Iterable<string>,
  target: RouteTarget,
  signal?: AbortSignal,
): AsyncGenerator<RoutedResult> {
  const scanner = new BlockScanner();
  let index = 0;
  for await (const text of stream) {
    for (const block of scanner.push(text)) yield await answer(block, ++index, target, signal);
  }
  for (const block of scanner.end()) yield await answer(block, ++index, target, signal);
}

async function answer(
  block: Block | RefusedBlock,
  index: number,
  target: RouteTarget,
  signal: AbortSignal | undefined,
): Promise<RoutedResult> {
  signal?.throwIfAborted();
  const { tag, offset } = block;
  const values = block.kind === 'block' ? block.values : {};
  const result = { index, offset, server: values.server_name, tool: values.tool_name, uri: values.uri };
  const refused = (message: string, repairs: readonly string[] = []): RoutedResult => {
    const text = errorResultText(tag, values.server_name, message);
    return { ...result, executed: false, isError: true, repairs, text };
  };
  if (block.kind === 'refused') return refused(block.reason);
  try {
    return { ...result, ...(await (tag === 'use_mcp_tool' ? call : read)(values, target, signal)) };
  } catch (error) {
    signal?.throwIfAborted();
    return refused(messageOf(error));
  }
}

type Answer = Pick<RoutedResult, 'executed' | 'isError' | 'repairs' | 'text'>;

async function call(
  values: Block['values'],
  target: RouteTarget,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const server = required(values, 'server_name');
  const tool = required(values, 'tool_name');
  const parsed = parseBlockArguments(values.arguments);
  if ('problem' in parsed) throw new Error(parsed.problem);
  assertServer(server, target);
  const tools = await target.tools(server);
  if (!tools.includes(tool)) {
    const reason = await target.withheld?.(server, tool);
    if (reason !== undefined) throw new Error(reason);
    const available = `Available tools on this server: ${tools.join(', ') || '(none)'}`;
    throw new Error(
      `Tool '${tool}' does not exist on server '${server}'.${nearest(tool, tools)}\n\n${available}`,
    );
  }
  const result = await target.callTool(server, tool, parsed.args, signal);
  const text = toolResultText(server, result);
  const { isError = false } = result;
  return { executed: true, isError, repairs: parsed.repairs, text: text + repairNote(parsed.repairs) };
}

async function read(
  values: Block['values'],
  target: RouteTarget,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const server = required(values, 'server_name');
  const uri = required(values, 'uri');
  assertServer(server, target);
  const { contents } = await target.readResource(server, uri, signal);
  return { executed: true, isError: false, repairs: [], text: resourceResultText(server, contents) };
}

function required(values: Block['values'], name: 'server_name' | 'tool_name' | 'uri'): string {
  const value = values[name];
  if (!value)
    throw new Error(`Missing value for required parameter '${name}'. Please retry with complete response.`);
  return value;
}

function assertServer(server: string, { servers }: RouteTarget): void {
  if (servers.includes(server)) return;
  const available = `Available servers: ${servers.join(', ') || '(none)'}`;
  throw new Error(`Server '${server}' is not configured.${nearest(server, servers)} ${available}`);
}

function nearest(name: string, names: readonly string[]): string {
  const close = closestNames(name, names);
  return close.length === 0 ? '' : ` Did you mean ${close.map((each) => `'${each}'`).join(' or ')}?`;
}

function repairNote(repairs: readonly string[]): string {
  return repairs.length === 0
    ? ''
    : `\n\n(The arguments were not JSON as written; repaired: ${repairs.join(', ')}.)`;
}
