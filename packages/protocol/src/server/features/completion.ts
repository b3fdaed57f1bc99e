import type { Completer, Suggestions } from '../../define/call.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { objectParam, optionalObjectParam, stringParam, stringsParam } from '../call/params.ts';
import { complete, type Result } from '../call/result.ts';
import { refuseLackingScopes } from '../access.ts';
import type { Runtime } from '../runtime.ts';
import { runWrapped } from '../wrapped.ts';
import { completedResource } from './target.ts';

const maxValues = 100;

export async function completeArgument(
  runtime: Runtime,
  call: ActiveCall,
  params: JsonObject,
): Promise<Result> {
  const ref = objectParam(params, 'ref');
  const argument = objectParam(params, 'argument');
  const name = stringParam(argument, 'name');
  const typed = stringParam(argument, 'value');
  const others = stringsParam(optionalObjectParam(params, 'context'), 'arguments');

  call.arguments = others;
  const completer = completerOf(runtime, call, ref, name);
  const run = () => (completer ? completer(typed, call) : []);
  const wrapped = { method: 'completion/complete', name, args: undefined } as const;
  return complete({
    completion: capped((await runWrapped(runtime.wraps, call, wrapped, run)) as Suggestions),
  });
}

function completerOf(
  runtime: Runtime,
  call: ActiveCall,
  ref: JsonObject,
  argument: string,
): Completer<object> | undefined {
  if (ref['type'] === 'ref/prompt') {
    const name = stringParam(ref, 'name');
    const prompt = runtime.prompt(name);
    if (!prompt) throw new RpcError(invalidParams, `Unknown prompt: "${name}"`);
    refuseLackingScopes(prompt, call);
    refuseUnknown(
      argument,
      prompt.arguments.map((known) => known.name),
      `prompt "${name}"`,
    );
    return own(prompt.complete, argument);
  }
  if (ref['type'] === 'ref/resource') {
    const uri = stringParam(ref, 'uri');
    const resource = completedResource(runtime, uri);
    if (!resource) throw new RpcError(invalidParams, `Unknown resource template: "${uri}"`);
    refuseLackingScopes(resource, call);
    refuseUnknown(argument, resource.template?.variables ?? [], `resource "${resource.uri}"`);
    return own(resource.definition.complete ?? {}, argument);
  }
  throw new RpcError(invalidParams, '"ref.type" must be "ref/prompt" or "ref/resource"');
}

function refuseUnknown(argument: string, known: readonly string[], of: string): void {
  if (known.includes(argument)) return;
  throw new RpcError(invalidParams, `The ${of} has no argument "${argument}"`);
}

// Only own members count, because the client could send the name of an inherited member, such as `toString`.
function own<T>(members: { readonly [name: string]: T | undefined }, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function capped(suggestions: Suggestions): JsonObject {
  const all = isList(suggestions) ? { values: suggestions, total: suggestions.length } : suggestions;
  const values = all.values.slice(0, maxValues);
  const { total } = all;
  const cut = all.values.length > maxValues || (total !== undefined && total > values.length);
  const hasMore = ('hasMore' in all ? all.hasMore : undefined) ?? cut;
  return { values, ...(total !== undefined && { total }), hasMore };
}

function isList(suggestions: Suggestions): suggestions is readonly string[] {
  return Array.isArray(suggestions);
}
