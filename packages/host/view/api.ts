import { nextTask } from './next-task.ts';
import type { PageEvent } from './types.ts';

/** Sends a request to `mcp inspect`, and returns its result; rejects with what went wrong and what to do. */
export async function send<Result>(request: {
  readonly do: string;
  readonly [key: string]: unknown;
}): Promise<Result> {
  const response = await fetch('/do', { method: 'POST', body: JSON.stringify(request) });
  if (!response.ok) throw new Error((await response.text()).trim());
  const { result, error } = (await response.json()) as {
    readonly result: Result;
    readonly error?: { readonly message: string; readonly hint?: string };
  };
  if (error) throw new Error([error.message, error.hint].filter(Boolean).join('\n'));
  return result;
}

/** Gets all events, also after the connection was lost and is there again. */
export function listen(onEvent: (event: PageEvent) => void, onState: (isConnected: boolean) => void): void {
  const events = new EventSource('/events');
  events.addEventListener('open', () => onState(true));
  events.addEventListener('error', () => onState(false));
  // The browser delivers all events of a piece of data in one task, so they are only kept there.
  const waiting: string[] = [];
  let isTaking = false;
  const take = async () => {
    isTaking = true;
    for (let data = waiting.shift(); data !== undefined; data = waiting.shift()) {
      onEvent(JSON.parse(data) as PageEvent);
      await nextTask();
    }
    isTaking = false;
  };
  events.addEventListener('message', ({ data }: MessageEvent<string>) => {
    waiting.push(data);
    if (!isTaking) void take();
  });
}
