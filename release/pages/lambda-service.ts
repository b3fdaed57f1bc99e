import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';

/** The media type of a streamed answer: a JSON object, 8 zero bytes, and the body. */
const streamed = 'application/vnd.awslambda.http-integration-response';
const delimiter = Buffer.alloc(8);

interface Head {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The service around a function, as AWS documents it: takes HTTP requests as a function URL does, and gives
 * their events to the runtime client, one at a time.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export class LambdaService implements AsyncDisposable {
  readonly #http: Server;
  readonly #domain: string;
  /** Requests of clients whose events no instance has taken. */
  readonly #events: { readonly event: object; readonly response: ServerResponse }[] = [];
  /** Instances that wait for an event. */
  readonly #idle: ServerResponse[] = [];
  readonly #running = new Map<string, ServerResponse>();
  #invocations = 0;

  private constructor(domain: string) {
    this.#domain = domain;
    this.#http = createServer((request, response) => {
      const [, id, what] = /^\/2018-06-01\/runtime\/invocation\/(.*?)(?:\/(.*))?$/.exec(request.url!) ?? [];
      if (id === undefined) void this.#invoke(request, response);
      else if (id === 'next') this.#next(response);
      else {
        const client = this.#running.get(id)!;
        // An instance that ends leaves its answer incomplete.
        this.#answer(client, request, response, what).catch(() => client.destroy());
      }
    });
  }

  /** Starts the service of a function whose URL has the host `domain`. */
  static async start(domain: string): Promise<LambdaService> {
    const service = new LambdaService(domain);
    await once(service.#http.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  /** The address for clients, and for runtime clients. */
  get address(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async #invoke(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.#events.push({ event: this.#eventOf(request, body), response });
    this.#dispatch();
  }

  #eventOf(request: IncomingMessage, body: Buffer): object {
    const { pathname, search } = new URL(request.url!, 'http://127.0.0.1');
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const text = /^(?:text\/|application\/json)/.test(request.headers['content-type'] ?? '');
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers: { ...Object.fromEntries(headers), host: this.#domain },
      requestContext: {
        accountId: 'anonymous',
        apiId: 'abcdefg',
        domainName: this.#domain,
        domainPrefix: 'abcdefg',
        http: {
          method: request.method,
          path: pathname,
          protocol: 'HTTP/1.1',
          sourceIp: '192.0.2.1',
          userAgent: request.headers['user-agent'] ?? '',
        },
        requestId: String(this.#invocations),
        routeKey: '$default',
        stage: '$default',
        time: '24/Nov/2026:12:00:00 +0000',
        timeEpoch: 1_795_521_600_000,
      },
      ...(body.length > 0 && { body: body.toString(text ? 'utf8' : 'base64') }),
      isBase64Encoded: body.length > 0 && !text,
    };
  }

  #next(instance: ServerResponse): void {
    this.#idle.push(instance);
    this.#dispatch();
  }

  #dispatch(): void {
    if (this.#events.length === 0 || this.#idle.length === 0) return;
    const { event, response } = this.#events.shift()!;
    const id = String(++this.#invocations);
    this.#running.set(id, response);
    this.#idle
      .shift()!
      .writeHead(200, {
        'lambda-runtime-aws-request-id': id,
        'lambda-runtime-deadline-ms': String(Date.now() + 60_000),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:123456789012:function:counter',
      })
      .end(JSON.stringify(event));
  }

  async #answer(
    client: ServerResponse,
    request: IncomingMessage,
    runtime: ServerResponse,
    what: string | undefined,
  ): Promise<void> {
    if (what !== 'response') {
      client.writeHead(502).end(await buffer(request));
    } else if (request.headers['content-type'] === streamed) {
      await forward(request, client);
    } else {
      const { statusCode, headers, body } = (await json(request)) as Head & { readonly body: string };
      client.writeHead(statusCode, headers).end(body);
    }
    runtime.writeHead(202).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
  }
}

/** Forwards a streamed answer as it arrives. */
async function forward(request: IncomingMessage, client: ServerResponse): Promise<void> {
  let begun: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (begun === undefined) {
      client.write(chunk);
      continue;
    }
    begun = Buffer.concat([begun, chunk]);
    const end = begun.indexOf(delimiter);
    if (end === -1) continue;
    const { statusCode, headers } = JSON.parse(begun.subarray(0, end).toString()) as Head;
    client.writeHead(statusCode, headers);
    client.flushHeaders();
    const body = begun.subarray(end + delimiter.length);
    if (body.length > 0) client.write(body);
    begun = undefined;
  }
  client.end();
}
