import { TokenBuckets } from '@mcp/kit';
import type { MessageWindow, WindowMessage } from '@mcp/views/browser';

/** How many messages a view may send at once, and how fast further ones. */
const rate = { burst: 1_000, refillMs: 2 } as const;

/**
 * The other end of the messages of a view: its frame. All windows in the frame count, because each can send
 * messages to the page; `onFlood` is called for each message that is one too many.
 */
export function frameWindow(frame: HTMLIFrameElement, onFlood: () => void): MessageWindow {
  const buckets = new TokenBuckets(rate);
  const listeners = new Map<(event: WindowMessage) => void, (event: MessageEvent) => void>();
  return {
    parent: frame.contentWindow!,
    addEventListener(type, listener) {
      const counted = (event: MessageEvent) => {
        if (!isIn(event.source, frame)) return;
        if (buckets.take('') > 0) onFlood();
        else listener(event);
      };
      listeners.set(listener, counted);
      addEventListener(type, counted);
    },
    removeEventListener(type, listener) {
      const counted = listeners.get(listener);
      if (counted) removeEventListener(type, counted);
    },
  };
}

function isIn(source: MessageEventSource | null, frame: HTMLIFrameElement): boolean {
  let window = source as Window | null;
  while (window && window !== frame.contentWindow && window !== window.parent) window = window.parent;
  return window !== null && window === frame.contentWindow;
}
