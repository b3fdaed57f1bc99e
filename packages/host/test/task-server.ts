import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';
import { createTasks } from '@mcp/protocol/tasks';

/** A server over HTTP that can go down and come up again at its address; its tasks outlive that. */
export class TaskServer implements AsyncDisposable {
  readonly #listener: RequestListener;
  #http: Server | undefined;
  #port = 0;

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  async up(): Promise<this> {
    this.#http = createServer(this.#listener);
    await new Promise<void>((resolve) => this.#http!.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#http.address() as AddressInfo).port;
    return this;
  }

  async down(): Promise<void> {
    this.#http?.closeAllConnections();
    await new Promise((resolve) => this.#http?.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.down();
  }
}

/** A tool whose tasks work until `finish` is called, with the extension of 2026-07-28. */
export function extensionServer() {
  const waiting = new Set<() => void>();
  const job = defineTool({
    name: 'job',
    description: 'Becomes a task.',
    task: 'optional',
    run: async (_, { asTask, signal }) => {
      await asTask('Working');
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve());
      });
      return 'The job is done';
    },
  });
  const tasks = createTasks({ pollIntervalMs: 50 });
  const handler = httpHandler(defineServer({ name: 'jobs', version: '1.0.0', tools: [job], tasks }));
  return { listener: handler.node, finish: () => waiting.forEach((resolve) => resolve()) };
}

/** The same with the tasks of 2025-11-25, of which it gives no list, without a library. */
export function coreServer() {
  const tasks = new Map<string, { readonly taskId: string; status: string }>();
  const waiting: (() => void)[] = [];
  const result = { content: [{ type: 'text', text: 'The job is done' }] };
  const known = ({ taskId }: { readonly taskId?: string }) => {
    const found = tasks.get(taskId ?? '');
    if (!found) throw Object.assign(new Error('Unknown task'), { code: -32602 });
    return found;
  };
  const methods: Record<string, (params: { readonly taskId?: string }) => unknown> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
      serverInfo: { name: 'core', version: '1' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
    }),
    'tools/call': () => {
      const task = { taskId: `core-${tasks.size + 1}`, status: 'working', ttl: null, pollInterval: 50 };
      tasks.set(task.taskId, task);
      return { task };
    },
    'tasks/get': known,
    'tasks/cancel': (params) => Object.assign(known(params), { status: 'cancelled' }),
    'tasks/result': async (params) => {
      if (known(params).status === 'working') await new Promise<void>((resolve) => waiting.push(resolve));
      return result;
    },
  };
  const listener = async (request: IncomingMessage, response: Parameters<RequestListener>[1]) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params = {} } = JSON.parse(await text(request));
    if (id === undefined) return void response.writeHead(202).end();
    const answer = await Promise.resolve()
      .then(() => {
        const run = methods[method];
        if (!run) throw Object.assign(new Error('Unknown method'), { code: -32601 });
        return run(params);
      })
      .then(
        (value) => ({ result: value }),
        ({ code, message }) => ({ error: { code, message } }),
      );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  };
  const finish = () => {
    for (const task of tasks.values()) if (task.status === 'working') task.status = 'completed';
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { listener: (...args: Parameters<RequestListener>) => void listener(...args), finish };
}
