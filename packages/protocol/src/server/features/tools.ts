import { closestNames } from '@mcp/kit';
import type { Tool } from '../../define/tool.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeTool } from '../../revisions/encode.ts';
import type { Checked } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { optionalObjectParam, stringParam } from '../call/params.ts';
import { cachePrivate, type Result } from '../call/result.ts';
import { refuseLackingScopes, usableBy } from '../access.ts';
import type { Runtime } from '../runtime.ts';
import { existsFor, haveViews, toolsFor } from '../tools-for.ts';
import { hasUnknown, validateRepaired } from './arguments.ts';
import { listPage } from './list-page.ts';
import { cacheOf, nameOf } from './pagination.ts';
import { type HandlerMethod, type HandlerRequest, runHandler } from './run-handler.ts';
import { requireTasks, runMaybeAsTask } from './tasks.ts';
import { encodeToolError, encodeToolValue, toolFailure } from './tool-result.ts';

export function listTools(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Result | Promise<Result> {
  const { tools, wraps } = runtime;
  const usable = toolsFor(usableBy(tools, call.caller), call);
  const load = () => usable.filter(({ definition }) => definition.listed !== false);
  const cache = haveViews(tools) ? cachePrivate : cacheOf(tools, call.caller);
  const list = {
    method: 'tools/list',
    name: 'tools',
    load,
    keyOf: nameOf,
    encode: encodeTool,
    cache,
  } as const;
  const page = () => listPage(runtime, call, list, cursor);
  return cursor === undefined && !wraps ? runtime.encodeOnce(usable, call.revision, page) : page();
}

interface ToolRequest extends HandlerRequest {
  readonly runtime: Runtime;
  readonly tool: Tool<object>;
  /** The arguments of the client; once they are validated, the validated arguments. */
  args: unknown;
}

const toolsCall: HandlerMethod<ToolRequest, unknown> = {
  name: 'tools/call',
  subject: ({ tool: { name }, args }) => ({ name, args }),
  run: ({ call, tool, args }) => tool.run(args, call),
  encode: (value, { runtime, call, tool }) => encodeToolValue(runtime, call, tool, value),
};

export function callTool(runtime: Runtime, call: ActiveCall, params: JsonObject): Result | Promise<Result> {
  const name = stringParam(params, 'name');
  const args = optionalObjectParam(params, 'arguments');
  const tool = runtime.tool(name);
  if (!tool || !existsFor(tool, call))
    throw new RpcError(invalidParams, `Unknown tool: "${name}"${suggestion(runtime, call, name)}`);
  refuseLackingScopes(tool, call);
  if (tool.definition.task === 'required') requireTasks(call, `tool "${tool.name}"`);
  const request: ToolRequest = { runtime, call, params, tool, args };
  // Only a promise is awaited, because awaiting a value would cost more than the work of most calls.
  const checked = tool.input['~standard'].validate(args);
  return checked instanceof Promise ? runChecked(request, args, checked) : run(request, args, checked);
}

function suggestion({ tools }: Runtime, call: ActiveCall, name: string): string {
  const usable = toolsFor(usableBy(tools, call.caller), call);
  const listed = usable.filter(({ definition }) => definition.listed !== false);
  const nearest = closestNames(name, listed.map(nameOf));
  return nearest.length === 0 ? '' : `; did you mean ${nearest.map((each) => `"${each}"`).join(', ')}?`;
}

async function runChecked(
  request: ToolRequest,
  args: JsonObject,
  checking: Promise<Checked<unknown>>,
): Promise<Result> {
  return run(request, args, await checking);
}

/** Runs a tool with its validated arguments. If they are invalid, tries to repair them first. */
function run(request: ToolRequest, args: JsonObject, checked: Checked<unknown>): Result | Promise<Result> {
  if (checked.issues || hasUnknown(request.tool, args)) return runRepaired(request, args);
  request.args = checked.value;
  return runTool(request);
}

async function runRepaired(request: ToolRequest, args: JsonObject): Promise<Result> {
  const { tool } = request;
  const { interpret } = tool.definition;
  const repaired = await validateRepaired(tool, interpret ? interpret(args) : args);
  if ('problem' in repaired) return toolFailure([repaired.problem]);
  request.args = repaired.value;
  return runTool(request);
}

function runTool(request: ToolRequest): Result | Promise<Result> {
  return request.tool.definition.task === undefined ? runNow(request) : runAsTask(request);
}

function runAsTask(request: ToolRequest): Result | Promise<Result> {
  const { runtime, call, tool } = request;
  return runMaybeAsTask(runtime, call, tool, (inTask) => runNow({ ...request, call: inTask }));
}

function runNow(request: ToolRequest): Result | Promise<Result> {
  try {
    const result = runHandler(toolsCall, request);
    return result instanceof Promise ? settled(request, result) : result;
  } catch (error) {
    return encodeToolError(request.call, request.tool, error);
  }
}

async function settled({ call, tool }: ToolRequest, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    return encodeToolError(call, tool, error);
  }
}
