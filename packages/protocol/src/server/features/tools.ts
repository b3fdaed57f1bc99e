import type { Content } from '../../define/content.ts';
import { JsonText, ToolError, ToolResult, type Tool, type ToolContent } from '../../define/tool.ts';
import { internalError, invalidParams, messageOf, RpcError, stackOf } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeContent, encodeStructured, encodeTool } from '../../revisions/encode.ts';
import { type Checked, issuesText, jsonSchema } from '../../schema/schema.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { answer, type Handler } from './run-handler.ts';
import { pageOf } from './pagination.ts';
import { optionalObjectParam, stringParam } from '../call/params.ts';
import { complete, type Result, sameForAll } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { requireTasks, runMaybeAsTask } from './tasks.ts';

export function listTools(runtime: Runtime, { revision }: ActiveCall, { cursor }: JsonObject): Result {
  const page = () => {
    const { items, nextCursor } = pageOf(
      'tools',
      runtime.tools.filter(({ definition }) => definition.listed !== false),
      ({ name }) => name,
      cursor,
      runtime.pageSize,
    );
    const tools = items.map((tool) => encodeTool(revision, tool));
    return complete({ tools, ...(nextCursor !== undefined && { nextCursor }) }, sameForAll);
  };
  return cursor === undefined ? runtime.firstPage('tools', revision, page) : page();
}

export function callTool(runtime: Runtime, call: ActiveCall, params: JsonObject): Result | Promise<Result> {
  const name = stringParam(params, 'name');
  const args = optionalObjectParam(params, 'arguments');
  const tool = runtime.tool(name);
  if (!tool) throw new RpcError(invalidParams, `Unknown tool: "${name}"`);
  if (tool.definition.task === 'required') requireTasks(call);

  const checked = tool.input['~standard'].validate(args);
  return checked instanceof Promise
    ? runChecked(runtime, call, params, tool, checked)
    : run(runtime, call, params, tool, checked);
}

async function runChecked(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
  tool: Tool<object>,
  checked: Promise<Checked<unknown>>,
): Promise<Result> {
  return run(runtime, call, params, tool, await checked);
}

function run(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
  tool: Tool<object>,
  checked: Checked<unknown>,
): Result | Promise<Result> {
  if (checked.issues) {
    return failure([`Invalid arguments for ${tool.name}: ${issuesText(checked.issues)}`]);
  }
  return tool.definition.task === undefined
    ? execute(runtime, call, params, tool, checked.value)
    : executeMaybeAsTask(runtime, call, params, tool, checked.value);
}

// What makes closures stands apart: who makes one pays for it in every call.
function executeMaybeAsTask(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
  tool: Tool<object>,
  args: unknown,
): Result | Promise<Result> {
  return runMaybeAsTask(runtime, call, tool, (seen) => execute(runtime, seen, params, tool, args));
}

function execute(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
  tool: Tool<object>,
  args: unknown,
): Result | Promise<Result> {
  try {
    const result = answer(runtime, call, 'tools/call', params, handler, { tool, args });
    return result instanceof Promise ? resultOrFailure(call, tool, result) : result;
  } catch (error) {
    return failureOf(call, tool, error);
  }
}

async function resultOrFailure(
  call: ActiveCall,
  tool: Tool<object>,
  result: Promise<Result>,
): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    return failureOf(call, tool, error);
  }
}

const handler: Handler<{ readonly tool: Tool<object>; readonly args: unknown }, unknown> = {
  run: ({ tool, args }, call) => tool.run(args, call.context, call),
  encode: ({ tool }, call, value) => encodeValue(call, tool, value),
};

const encodedResults = new WeakMap<ToolResult, Map<Revision, Result | Promise<Result>>>();

/** Encodes what a tool returned; an immutable result is encoded once for each revision. */
function encodeValue(call: ActiveCall, tool: Tool<object>, value: unknown): Result | Promise<Result> {
  if (!(value instanceof ToolResult && value.immutable)) return encodeAnew(call, tool, value);
  let encoded = encodedResults.get(value);
  if (!encoded) encodedResults.set(value, (encoded = new Map()));
  let result = encoded.get(call.revision);
  if (!result) {
    result = encodeAnew(call, tool, value);
    if (!(result instanceof Promise)) result = { ...result, shared: true };
    encoded.set(call.revision, result);
  }
  return result;
}

function encodeAnew(call: ActiveCall, tool: Tool<object>, value: unknown): Result | Promise<Result> {
  const { output } = tool;
  if (!output) {
    if (!(value instanceof ToolResult)) return content(call, value as ToolContent | undefined);
    return content(call, value.content, value._meta && { _meta: value._meta });
  }
  const result = value instanceof ToolResult ? value : new ToolResult({ structuredContent: value });
  if (result.structuredContent instanceof JsonText)
    return structured(call, tool, result, { value: result.structuredContent });
  const checked = output['~standard'].validate(result.structuredContent);
  return checked instanceof Promise
    ? structuredLater(call, tool, result, checked)
    : structured(call, tool, result, checked);
}

async function structuredLater(
  call: ActiveCall,
  tool: Tool<object>,
  result: ToolResult,
  checked: Promise<Checked<unknown>>,
): Promise<Result> {
  return structured(call, tool, result, await checked);
}

function structured(
  call: ActiveCall,
  tool: Tool<object>,
  result: ToolResult,
  checked: Checked<unknown>,
): Result {
  if (checked.issues) {
    const issues = issuesText(checked.issues);
    throw new RpcError(internalError, `The tool "${tool.name}" broke its own output schema: ${issues}`);
  }
  const { revision } = call;
  const json = () => JSON.stringify(checked.value);
  const structuredContent = encodeStructured(revision, checked.value, tool.outputJson);
  const members = {
    ...(structuredContent !== undefined && { structuredContent }),
    ...(result._meta && { _meta: result._meta }),
  };
  if (result.content === undefined) return content(call, json(), members);
  if (structuredContent !== undefined) return content(call, result.content, members);
  // A client that cannot take structured content still gets the facts.
  return content(call, [...blocks(result.content), { type: 'text', text: json() }], members);
}

function content(call: ActiveCall, value: ToolContent | undefined, members?: JsonObject): Result {
  const encoded =
    typeof value === 'string' ? [{ type: 'text', text: value }] : encodeAll(call, blocks(value));
  return complete(members ? { content: encoded, ...members } : { content: encoded });
}

function encodeAll({ revision }: ActiveCall, content: readonly Content[]): JsonObject[] {
  return content.map((block) => {
    if (typeof (block as Partial<Content> | null)?.type !== 'string') {
      throw new RpcError(
        internalError,
        'The tool returned neither text nor content; it may return `toolResult({ content })`, or a value that matches ' +
          'its `outputSchema`',
      );
    }
    return encodeContent(revision, block);
  });
}

function blocks(value: ToolContent | undefined): readonly Content[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  return Array.isArray(value) ? value : [value as Content];
}

// What went wrong inside a tool is for the model to read; what the client got wrong is not.
async function failureOf(
  { revision, caller }: ActiveCall,
  tool: Tool<object>,
  error: unknown,
): Promise<Result> {
  if (error instanceof RpcError) throw error;
  if (isMistake(error)) caller.warn?.(`The tool "${tool.name}" failed: ${stackOf(error)}`);
  const message = messageOf(error);
  if (!(error instanceof ToolError)) return failure([message]);
  const { structuredContent: facts, _meta } = error;
  const members = _meta && { _meta };
  if (!facts) return failure([message], members);
  // Clients hold failures to the output schema too; what does not fit is told in words.
  const checked = await (tool.output ?? anything)['~standard'].validate(facts);
  if (checked.issues || revision.structuredContent === 'none') {
    return failure([message, JSON.stringify(facts)], members);
  }
  return failure([message], { structuredContent: checked.value, ...members });
}

const anything = jsonSchema({}, (value) => value);

function failure(texts: readonly string[], members: JsonObject = {}): Result {
  return complete({ content: texts.map((text) => ({ type: 'text', text })), ...members, isError: true });
}

/** What only a mistake in the code throws; what Node refuses has a code. */
function isMistake(error: unknown): boolean {
  return (error instanceof TypeError || error instanceof ReferenceError) && !('code' in error);
}
