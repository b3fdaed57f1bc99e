import type { ListedResource } from '../../define/content.ts';
import type { Requester } from '../requester.ts';
import type { CallOptions } from '../call-options.ts';
import { InvalidResult } from '../results/check-result.ts';
import type { ListedPrompt, ListedTemplate, ListedTool, Results } from '../results/results.ts';
import { ToolCatalog } from './tool-catalog.ts';
import { ListCache } from './list-cache.ts';
import { pages } from './pages.ts';

type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

/** The methods of the cached lists that each notification makes stale. */
const stale: { readonly [notification: string]: readonly ListMethod[] } = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
};

/** Maximum characters in all pages of a list: the server chooses the number and the length of the pages. */
const maxListLength = 64 * 1024 * 1024;

/** One list of a server, which can be read page by page or as a whole. */
export interface List<Item> {
  pages(options?: CallOptions): AsyncIterable<readonly Item[]>;
  all(options?: CallOptions): Promise<Item[]>;
}

/** The lists of a server, with a cache. */
export class Lists {
  readonly catalog = new ToolCatalog();
  readonly tools: List<ListedTool>;
  readonly resources: List<ListedResource>;
  readonly templates: List<ListedTemplate>;
  readonly prompts: List<ListedPrompt>;
  readonly #requester: Requester;
  readonly #cache = new ListCache();
  readonly #maxPages: number | undefined;

  constructor(requester: Requester, maxPages: number | undefined, warn: (message: string) => void) {
    this.#requester = requester;
    this.#maxPages = maxPages;
    const checksHeaders = () => requester.http && requester.agreement.revision.stateless;
    this.tools = this.#list('tools/list', ({ tools }) => this.catalog.take(tools, checksHeaders(), warn));
    this.resources = this.#list('resources/list', ({ resources }) => resources);
    this.templates = this.#list('resources/templates/list', ({ resourceTemplates }) => resourceTemplates);
    this.prompts = this.#list('prompts/list', ({ prompts }) => prompts);
    requester.whenListChanged((notification) => {
      for (const method of stale[notification] ?? []) this.#cache.drop(method);
      if (notification === 'notifications/tools/list_changed') this.catalog.clear();
    });
  }

  /** Reads the tools again, without the cache. */
  async refreshTools(): Promise<void> {
    this.#cache.drop('tools/list');
    await this.tools.all();
  }

  #list<M extends ListMethod, Item>(method: M, itemsOf: (page: Results[M]) => readonly Item[]): List<Item> {
    const read = (options: CallOptions | undefined) =>
      pages(method, (params) => this.#requester.checked(method, params, options), this.#maxPages);
    const requester = this.#requester;
    const cache = this.#cache;
    return {
      async *pages(options) {
        try {
          for await (const page of read(options)) yield itemsOf(page);
        } catch (error) {
          requester.fail('call', method, error);
        }
      },
      async all(options) {
        const fresh = cache.get<Item>(method);
        if (fresh) return [...fresh];
        const keep = cache.begin(method);
        const items: Item[] = [];
        let length = 0;
        const responseText = (text: string) => {
          length += text.length;
          options?.onResponseText?.(text);
        };
        const ttls: unknown[] = [];
        await requester.guard(
          method,
          async () => {
            for await (const page of read({ ...options, onResponseText: responseText })) {
              if (length > maxListLength)
                throw new InvalidResult(method, `a list may have at most ${maxListLength} characters`);
              for (const item of itemsOf(page)) items.push(item);
              ttls.push(page.ttlMs);
            }
          },
          options?.signal,
        );
        keep([...items], ttls);
        return items;
      },
    };
  }
}
