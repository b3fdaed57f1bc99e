import { isObject, messageOf, stackOf } from '@mcp/kit';
import type { Content } from '../../define/content.ts';
import { JsonText, type Tool, type ToolContent, ToolError, ToolResult } from '../../define/tool.ts';
import { internalError, isUnexpected, RpcError } from '../../jsonrpc/error.ts';
import { isStoreUnavailable } from '../../state/shared-store.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeContent, encodeStructured } from '../../revisions/encode.ts';
import { modern } from '../../revisions/table.ts';
import { type Checked, issuesText, jsonSchema } from '../../schema/schema.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { complete, type Result } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';

/** Encodes the value that a tool returned; a value declared `immutable` only once for each revision. */
export function encodeToolValue(
  runtime: Runtime,
  call: ActiveCall,
  tool: Tool<object>,
  value: unknown,
): Result | Promise<Result> {
  return value instanceof ToolResult && value.immutable
    ? runtime.encodeOnce(value, call.revision, () => encodeValue(call, tool, value))
    : encodeValue(call, tool, value);
}

function encodeValue(call: ActiveCall, tool: Tool<object>, value: unknown): Result | Promise<Result> {
  const { output } = tool;
  if (!output && !(value instanceof ToolResult)) return content(call, value as ToolContent | undefined);
  if (isWireShaped(value) && !JSON.stringify(tool.outputJson).includes('"content"')) {
    throw new RpcError(
      internalError,
      `The tool "${tool.name}" returned an object with \`content\`; for text beside the value of its outputSchema, ` +
        'return `toolResult({ content, structuredContent })`, and throw a `ToolError` for a failure',
    );
  }
  const result = value instanceof ToolResult ? value : new ToolResult({ structuredContent: value });
  if (result.structuredContent instanceof JsonText)
    return structured(call, tool, result, { value: result.structuredContent });
  if (!output) return content(call, result.content, result._meta && { _meta: result._meta });
  const checked = output['~standard'].validate(result.structuredContent);
  return checked instanceof Promise
    ? checked.then((later) => structured(call, tool, result, later))
    : structured(call, tool, result, checked);
}

const wireMembers: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Whether a value has the form of a result on the wire, which other libraries let tools return. */
function isWireShaped(value: unknown): boolean {
  if (!isObject(value) || value instanceof ToolResult || !Array.isArray(value['content'])) return false;
  const members = Object.keys(value);
  return (
    members.every((name) => wireMembers.has(name)) &&
    (value['content'].length > 0 || members.length > 1) &&
    value['content'].every((block) => isObject(block) && modern.contentTypes.has(block['type'] as never))
  );
}

function structured(
  call: ActiveCall,
  tool: Tool<object>,
  result: ToolResult,
  checked: Checked<unknown>,
): Result {
  if (checked.issues) {
    const issues = issuesText(checked.issues);
    throw new RpcError(
      internalError,
      `The tool "${tool.name}" returned a value that does not match its outputSchema: ${issues}`,
    );
  }
  const { revision } = call;
  const { value } = checked;
  const json = () => (value instanceof JsonText ? value.text : JSON.stringify(value));
  const structuredContent = encodeStructured(revision, value, tool.outputJson);
  const members = {
    ...(structuredContent !== undefined && { structuredContent }),
    ...(result._meta && { _meta: result._meta }),
  };
  if (result.content === undefined) return content(call, json(), members);
  if (structuredContent !== undefined) return content(call, result.content, members);
  // In a revision without structured content, the client gets the value as text, unless it has this text.
  const [own, text] = [blocks(result.content), json()];
  const isThere = own.some((block) => block.type === 'text' && isSameJson(block.text, text));
  return content(call, isThere ? own : [...own, { type: 'text', text }], members);
}

/** Whether a text is this JSON, perhaps with other spaces. */
function isSameJson(text: string, json: string): boolean {
  try {
    return text === json || JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(json));
  } catch {
    return false;
  }
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

/**
 * The result with which the model gets an error of a tool. Throws an `RpcError` and a `StoreUnavailable`
 * again, so that it becomes the error of the request instead.
 */
export async function encodeToolError(
  { revision, peer }: ActiveCall,
  tool: Tool<object>,
  error: unknown,
): Promise<Result> {
  if (error instanceof RpcError || isStoreUnavailable(error)) throw error;
  if (isUnexpected(error)) peer.warn?.(`The tool "${tool.name}" failed: ${stackOf(error)}`);
  const message = messageOf(error);
  if (!(error instanceof ToolError)) return toolFailure([message]);
  const { structuredContent: facts, _meta } = error;
  const members = _meta && { _meta };
  if (!facts) return toolFailure([message], members);
  // Clients validate failures too: structured content that does not match the output schema becomes text.
  const checked = await (tool.output ?? anything)['~standard'].validate(facts);
  if (checked.issues || revision.structuredContent === 'none') {
    return toolFailure([message, JSON.stringify(facts)], members);
  }
  return toolFailure([message], { structuredContent: checked.value, ...members });
}

const anything = jsonSchema({}, (value) => value);

/** A result with `isError`, for the model to read. */
export function toolFailure(texts: readonly string[], members: JsonObject = {}): Result {
  return complete({ content: texts.map((text) => ({ type: 'text', text })), ...members, isError: true });
}
