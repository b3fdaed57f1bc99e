import type { Channel, Receiver } from '@mcp/protocol/client';
import type { Server } from '@mcp/protocol';
import { serve } from '@mcp/protocol/web';

/** The messages of the page, which come to this worker. */
class PageChannel implements Channel {
  readonly congested = false;

  open(receiver: Receiver): void {
    addEventListener('message', ({ data }: MessageEvent<string>) => receiver.message(data));
    postMessage({ ready: true });
  }

  send(text: string): void {
    postMessage(text);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  hold(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }
}

let isServing = false;

/** Serves the page, as `serveStdio` serves the program that has started a process. */
export async function serveStdio(server: Server): Promise<void> {
  if (isServing) throw new Error('`serveStdio` was called twice; a program serves one server');
  isServing = true;
  await serve(server, new PageChannel());
}

/** Runs the module with the user's code. Serves its `server`, unless the module has called `serveStdio`. */
export async function run(code: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    const { server } = (await import(url)) as { readonly server?: Server };
    if (isServing) return;
    if (!server) throw new Error('The program has no `export const server = defineServer(…)`');
    await serveStdio(server);
  } catch (error) {
    postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
}
