import { closestNames } from '@mcp/kit';
import type { Tool } from '../../define/tool.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeTool } from '../../revisions/encode.ts';
import type { Checked } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { optionalObjectParam, stringParam } from '../call/params.ts';
import { runHandler } from '../call/run-handler.ts';
import { cachePublic, complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { hasUnknown, validateRepaired } from './arguments.ts';
import { nameOf, pageOf } from './pagination.ts';
import { requireTasks, runMaybeAsTask } from './tasks.ts';
import { encodeToolError, encodeToolValue, toolFailure } from './tool-result.ts';

export function listTools(
  runtime: Runtime,
  { revision }: ActiveCall,
  { cursor }: JsonObject,
): Result | Promise<Result> {
  const page = () => {
    const items = runtime.tools.filter(({ definition }) => definition.listed !== false);
    const list = { name: 'tools', items, keyOf: nameOf, encode: encodeTool };
    return complete(pageOf(list, revision, cursor, runtime.pageSize), cachePublic);
  };
  return cursor === undefined ? runtime.encodeOnce(runtime.tools, revision, page) : page();
}

export function callTool(runtime: Runtime, call: ActiveCall, params: JsonObject): Result | Promise<Result> {
  const name = stringParam(params, 'name');
  const args = optionalObjectParam(params, 'arguments');
  const tool = runtime.tool(name);
  if (!tool) throw new RpcError(invalidParams, `Unknown tool: "${name}"${suggestion(runtime, name)}`);
  if (tool.definition.task === 'required') requireTasks(call);
  // Without `await`, as in `runHandler`.
  const checked = tool.input['~standard'].validate(args);
  return checked instanceof Promise
    ? checked.then((later) => callWith(runtime, call, params, tool, args, later))
    : callWith(runtime, call, params, tool, args, checked);
}

function suggestion({ tools }: Runtime, name: string): string {
  const listed = tools.filter(({ definition }) => definition.listed !== false);
  const nearest = closestNames(name, listed.map(nameOf));
  return nearest.length === 0 ? '' : `; did you mean ${nearest.map((each) => `"${each}"`).join(', ')}?`;
}

/** Runs a tool with its validated arguments or, if they are invalid, with repaired ones. */
function callWith(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
  tool: Tool<object>,
  args: JsonObject,
  checked: Checked<unknown>,
): Result | Promise<Result> {
  const run = (value: unknown) =>
    tool.definition.task === undefined
      ? runTool(runtime, call, params, tool, value)
      : runMaybeAsTask(runtime, call, tool, (inTask) => runTool(runtime, inTask, params, tool, value));
  if (!checked.issues && !hasUnknown(tool, args)) return run(checked.value);
  const { interpret } = tool.definition;
  return validateRepaired(tool, interpret ? interpret(args) : args).then((repaired) =>
    'problem' in repaired ? toolFailure([repaired.problem]) : run(repaired.value),
  );
}

function runTool(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
  tool: Tool<object>,
  args: unknown,
): Result | Promise<Result> {
  const failed = (error: unknown) => encodeToolError(call, tool, error);
  try {
    const result = runHandler<unknown>({
      method: 'tools/call',
      call,
      params,
      seal: runtime.seal,
      run: () => tool.run(args, call),
      encode: (value) => encodeToolValue(runtime, call, tool, value),
    });
    return result instanceof Promise ? result.catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}
