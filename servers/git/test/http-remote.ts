import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Workspace } from './workspace.ts';

/** The repositories of a workspace over smart HTTP: `git http-backend`, as the CGI program that it is. */
export class HttpRemote implements AsyncDisposable {
  readonly #server: Server;
  readonly #workspace: Workspace;
  readonly #credentials: string | undefined;
  /** The methods and paths of the requests. */
  readonly requests: string[] = [];

  /** `credentials` are `user:password`; without them every client may read and write. */
  static async listen(
    workspace: Workspace,
    { credentials }: { credentials?: string } = {},
  ): Promise<HttpRemote> {
    const remote = new HttpRemote(workspace, credentials);
    await once(remote.#server.listen(0, '127.0.0.1'), 'listening');
    return remote;
  }

  private constructor(workspace: Workspace, credentials: string | undefined) {
    this.#workspace = workspace;
    this.#credentials = credentials;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  url(name: string): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}/${name}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    this.requests.push(`${request.method} ${pathname}`);
    const expected = this.#credentials && `Basic ${Buffer.from(this.#credentials).toString('base64')}`;
    if (expected && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const header = (name: string) => String(request.headers[name] ?? '');
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...this.#workspace.environment,
        GIT_PROJECT_ROOT: this.#workspace.allowed,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'ada',
        REQUEST_METHOD: request.method,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: header('content-type'),
        HTTP_CONTENT_ENCODING: header('content-encoding'),
        HTTP_GIT_PROTOCOL: header('git-protocol'),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(backend.stdin.on('error', () => {}));
    let head = Buffer.alloc(0);
    backend.stdout.on('data', (chunk: Buffer) => {
      if (response.headersSent) return response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(/: (.*)/s);
        if (name === 'Status') response.statusCode = Number(value.slice(0, 3));
        else response.setHeader(name, value);
      }
      response.write(head.subarray(end + 4));
    });
    backend.once('close', () => response.end());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
