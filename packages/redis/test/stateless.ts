import { headersOf } from '../../protocol/test/http/http-wire.ts';
import { metaOf } from '../../protocol/test/requirements/wire.ts';
import type { At, Message } from './replicas.ts';

const capabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
let lastId = 0;

/** Sends a request of 2026-07-28 to a replica. */
export function post({ url }: At, method: string, params: Message, principal = 'alice'): Promise<Response> {
  const id = ++lastId;
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: metaOf({ capabilities }) } };
  const { taskId } = params;
  const headers = {
    ...headersOf(message),
    ...(typeof taskId === 'string' && { 'mcp-name': taskId }),
    authorization: `Bearer ${principal}`,
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
}

/** The result of such a request, or its error. */
export async function ask(
  replica: At,
  method: string,
  params: Message,
  principal?: string,
): Promise<Message> {
  const answer = (await (await post(replica, method, params, principal)).json()) as {
    result?: Message;
    error?: Message;
  };
  return answer.result ?? answer.error ?? {};
}
