import { bothObservers } from '../define/both-observers.ts';
import { type ObservedRequest, type Observer, type Outcome, outcomeWord } from '../define/observer.ts';
import type { Server } from '../define/server.ts';
import { warnOnStderr } from '../transports/stderr.ts';

/** The maximum number of characters of a name that a client sends. */
const maxName = 200;

/**
 * Writes lines of JSON on stderr: warnings, and each request with its method, name, outcome and duration, and
 * without its arguments. Over HTTP and stdio; lines are dropped while stderr is not read.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { JsonLog } from '@mcp/protocol/command-line';
 * import { serveHttp } from '@mcp/protocol/http';
 *
 * const log = new JsonLog();
 * const server = log.observed(defineServer({ name: 'example', version: '1.0.0' }));
 * const listener = await serveHttp(server, { onWarning: log.warn });
 * await listener.close();
 * ```
 */
export class JsonLog implements Pick<Observer, 'received'> {
  readonly warn = (message: string): void => this.#write('warning', message, {});

  info(message: string, fields: object): void {
    this.#write('info', message, fields);
  }

  /** The same server, with a line for each request. */
  observed(server: Server): Server {
    const { definition } = server;
    return { ...server, definition: { ...definition, observe: bothObservers(definition.observe, this) } };
  }

  received({ method, params: { name } }: ObservedRequest) {
    const from = performance.now();
    return {
      run: <T>(work: () => T) => work(),
      ended: (outcome: Outcome) => {
        const ms = Math.round((performance.now() - from) * 1_000) / 1_000;
        const named = typeof name === 'string' && { name: name.slice(0, maxName) };
        this.info('request', {
          method: method.slice(0, maxName),
          ...named,
          outcome: outcomeWord(outcome),
          ms,
        });
      },
    };
  }

  #write(level: 'info' | 'warning', message: string, fields: object): void {
    const text = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
    warnOnStderr(text.replaceAll(unescaped, escaped));
  }
}

/** Characters that JSON leaves as they are, and that end lines or control terminals. */
const unescaped = /[\u007F-\u009F\u2028\u2029]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
