import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Caller, defineServer, type Tool } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { openApiTools, type OpenApiOptions } from '../src/index.ts';

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Respond = (request: Received, response: ServerResponse) => void;

/** An API on the loopback that records its requests, and answers each as the test says. */
export class StubApi implements AsyncDisposable {
  readonly origin: string;
  readonly received: Received[] = [];
  respond: Respond;
  readonly #server: Server;

  private constructor(server: Server, respond: Respond) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.respond = respond;
    server.on('request', (request, response: ServerResponse) => {
      void text(request).then((body) => {
        const { method = '', url: target = '', headers } = request;
        const received = { method, target, headers, body };
        this.received.push(received);
        this.respond(received, response);
      });
    });
  }

  static async start(respond: Respond = json({ ok: true })): Promise<StubApi> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StubApi(server, respond);
  }

  /** The last request. */
  get last(): Received {
    return this.received.at(-1)!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers with a value as JSON. */
export function json(value: unknown, status = 200): Respond {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

/** Answers with a body of any type. */
export function reply(status: number, headers: { readonly [name: string]: string }, body = ''): Respond {
  return (_, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** A result as tests compare it: the text, and what else there is. */
export interface Outcome {
  readonly text: string;
  readonly structured?: unknown;
  readonly isError?: true;
}

/** Calls a tool through a client. */
export async function call(
  tools: readonly Tool<object>[],
  name: string,
  args: { readonly [name: string]: unknown } = {},
  options: { readonly signal?: AbortSignal; readonly caller?: Caller } = {},
): Promise<Outcome> {
  const { signal, caller } = options;
  const server = defineServer({ name: 'api', version: '1.0.0', tools });
  await using client = await connect(server, caller ? { caller } : {});
  const result = await client.callTool(name, args, signal ? { signal } : {});
  const { content, structuredContent, isError } = result;
  const [block] = content;
  return {
    text: block?.type === 'text' ? block.text : '',
    ...(structuredContent !== undefined && { structured: structuredContent }),
    ...(isError === true && { isError }),
  };
}

type Json = { readonly [name: string]: unknown };

/** A document of OpenAPI 3.1 with these paths. */
export function documentOf(paths: Json, rest: Json = {}): Json {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...rest };
}

/** The tool `it` of one operation of a document. */
export function toolsOf(
  method: string,
  path: string,
  operation: Json,
  options: Partial<OpenApiOptions> = {},
  rest: Json = {},
): Tool<object>[] {
  const document = documentOf({ [path]: { [method]: { operationId: 'it', ...operation } } }, rest);
  return openApiTools(document, { baseUrl: 'http://127.0.0.1:9/', select: { ids: ['it'] }, ...options });
}
