import { closestNames } from '@mcp/kit';
import type { Tool } from '../../define/tool.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeTool } from '../../revisions/encode.ts';
import type { Checked } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { optionalObjectParam, stringParam } from '../call/params.ts';
import { cachePublic, complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';
import { hasUnknown, validateRepaired } from './arguments.ts';
import { Invocation } from './invocation.ts';
import { pageOf } from './pagination.ts';
import { requireTasks, runMaybeAsTask } from './tasks.ts';
import { encodeToolError, encodeToolValue, toolFailure } from './tool-result.ts';

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
    return complete({ tools, ...(nextCursor !== undefined && { nextCursor }) }, cachePublic);
  };
  return cursor === undefined ? runtime.firstPage('tools', revision, page) : page();
}

export function callTool(runtime: Runtime, call: ActiveCall, params: JsonObject): Result | Promise<Result> {
  const name = stringParam(params, 'name');
  const args = optionalObjectParam(params, 'arguments');
  const tool = runtime.tool(name);
  if (!tool) throw new RpcError(invalidParams, `Unknown tool: "${name}"${suggestion(runtime, name)}`);
  if (tool.definition.task === 'required') requireTasks(call);
  return new ToolInvocation(runtime, call, params, tool, args).validate();
}

function suggestion({ tools }: Runtime, name: string): string {
  const listed = tools.filter(({ definition }) => definition.listed !== false);
  const nearest = closestNames(
    name,
    listed.map((tool) => tool.name),
  );
  return nearest.length === 0 ? '' : `; did you mean ${nearest.map((each) => `"${each}"`).join(', ')}?`;
}

// The methods are the steps of a call, in their order; `invocation.ts` explains why there are two of each.
class ToolInvocation extends Invocation<unknown> {
  readonly tool: Tool<object>;
  /** The arguments: before validation as the client sent them, then as the handler gets them. */
  args: unknown;

  constructor(runtime: Runtime, call: ActiveCall, params: JsonObject, tool: Tool<object>, args: unknown) {
    super(runtime, call, params);
    this.tool = tool;
    this.args = args;
  }

  get method(): string {
    return 'tools/call';
  }

  validate(): Result | Promise<Result> {
    const args = this.args as JsonObject;
    const checked = this.tool.input['~standard'].validate(args);
    if (checked instanceof Promise) return this.validateAsync(args, checked);
    return checked.issues || hasUnknown(this.tool, args) ? this.repairAsync(args) : this.start(checked.value);
  }

  private async validateAsync(args: JsonObject, checking: Promise<Checked<unknown>>): Promise<Result> {
    const checked = await checking;
    return checked.issues || hasUnknown(this.tool, args) ? this.repairAsync(args) : this.start(checked.value);
  }

  private async repairAsync(args: JsonObject): Promise<Result> {
    const { interpret } = this.tool.definition;
    const repaired = await validateRepaired(this.tool, interpret ? interpret(args) : args);
    return 'problem' in repaired ? toolFailure([repaired.problem]) : this.start(repaired.value);
  }

  private start(args: unknown): Result | Promise<Result> {
    this.args = args;
    return this.tool.definition.task === undefined ? this.execute() : this.executeMaybeAsTask();
  }

  private executeMaybeAsTask(): Result | Promise<Result> {
    const { runtime, params, tool, args } = this;
    return runMaybeAsTask(runtime, this.call, tool, (call) =>
      new ToolInvocation(runtime, call, params, tool, args).execute(),
    );
  }

  private execute(): Result | Promise<Result> {
    try {
      const result = this.answer();
      return result instanceof Promise ? this.settleAsync(result) : result;
    } catch (error) {
      return encodeToolError(this.call, this.tool, error);
    }
  }

  private async settleAsync(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      return encodeToolError(this.call, this.tool, error);
    }
  }

  run(): unknown {
    return this.tool.run(this.args, this.call);
  }

  encode(value: unknown): Result | Promise<Result> {
    return encodeToolValue(this.call, this.tool, value);
  }
}
