import { messageOf } from '@mcp/kit';
import { type Call, RpcError, type Schema, ToolError, type ToolResult } from '@mcp/protocol';
import type { Operation } from './document/operations.ts';
import type { Json } from './document/place.ts';
import type { OpenApiOptions, Values, ValuesOf } from './options.ts';
import { type Additions, buildRequest, type RequestPlan } from './request/build-request.ts';
import { failureText, resultOf } from './request/result-of.ts';
import { type Reply, send } from './request/send.ts';
import { type Hide, hiding } from './secrets/hide.ts';
import { credentialsOf, secretsOf, textsIn } from './secrets/secrets.ts';
import { withoutSecrets } from './secrets/without-secrets.ts';

/** What the calls of one tool have in common. */
interface Callee {
  readonly plan: RequestPlan;
  /** The values of arguments that callers do not have. */
  readonly fixed: Json;
  readonly output: Schema | undefined;
}

/** Calls the API with the arguments of a call. Throws an `Error` without what the author adds to requests. */
export async function callApi<Context, Who>(
  { plan, fixed, output }: Callee,
  args: Json,
  call: Call<Context, Who>,
  options: OpenApiOptions<Context, Who>,
): Promise<string | ToolResult<never>> {
  const { operation } = plan;
  const added: Additions = {
    headers: await valuesOf('headers', options.headers, call, operation),
    query: await valuesOf('query', options.query, call, operation),
  };
  const hides = hidesOf(added, fixed);
  try {
    const request = buildRequest(plan, { ...args, ...fixed }, added);
    return await exchange(request, { operation, output, hides, signal: call.signal }, options);
  } catch (error) {
    throw withoutSecrets(error, hides.inErrors);
  }
}

interface Hides {
  readonly inErrors: Hide;
  readonly inResults: Hide;
}

/** In results, only credentials are hidden: those may have other values, such as a version, by chance. */
function hidesOf({ headers, query }: Additions, fixed: Json): Hides {
  const secrets = secretsOf(headers, query);
  const fixedTexts = Object.entries(fixed).flatMap(([name, value]) => textsIn(name, value));
  const fixedCredentials = credentialsOf(fixedTexts);
  return {
    inErrors: hiding([...secrets, ...fixedCredentials]),
    inResults: hiding([...credentialsOf(secrets), ...fixedCredentials]),
  };
}

/** The values that the author adds to the request of a call. */
async function valuesOf<Context, Who>(
  option: 'headers' | 'query',
  values: ValuesOf<Context, Who> = {},
  call: Call<Context, Who>,
  operation: Operation,
): Promise<Values> {
  const found = typeof values === 'function' ? await made(option, () => values(call, operation)) : values;
  const wrong = Object.entries(found).find(([, value]) => typeof value !== 'string');
  if (wrong) throw new Error(`The value of "${wrong[0]}" in \`${option}\` of the author must be a string`);
  return found;
}

/** The message of an error that is not meant for the model is not shown, because it may quote a secret. */
async function made(option: string, make: () => Values | Promise<Values>): Promise<Values> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ToolError || error instanceof RpcError) throw error;
    throw new Error(`The function \`${option}\` of the author failed`, { cause: error });
  }
}

interface Exchange {
  readonly operation: Operation;
  readonly output: Schema | undefined;
  readonly hides: Hides;
  readonly signal: AbortSignal;
}

async function exchange(
  request: Request,
  { operation, output, hides, signal }: Exchange,
  { fetch = (each) => globalThis.fetch(each), limits = {} }: Pick<OpenApiOptions, 'fetch' | 'limits'>,
): Promise<string | ToolResult<never>> {
  const { timeoutMs = 30_000, maxResponseBytes: maxBytes = 1_048_576, maxErrorLength = 4_000 } = limits;
  try {
    const reply = await send(request, { fetch, signal, timeoutMs, maxBytes });
    if (reply.status >= 200 && reply.status < 300) return resultOf(hidden(reply, hides.inResults), output);
    // Before the body is cut, because half of a secret would not be found.
    throw new Error(failureText(hidden(reply, hides.inErrors), maxErrorLength));
  } catch (error) {
    throw new Error(`${operation.method} ${operation.path}: ${messageOf(error)}`, { cause: error });
  }
}

function hidden({ status, statusText, type, text }: Reply, hide: Hide): Reply {
  return {
    status,
    statusText: hide(statusText),
    type: hide(type),
    text: text === undefined ? undefined : hide(text),
  };
}
