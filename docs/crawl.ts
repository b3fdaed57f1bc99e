import { serveSite } from './serve-site.ts';
import { isOtherVersion } from './site-versions.ts';

/** The numbers of requests and pages of a crawl, and the missing addresses with the page that names each. */
export interface Crawl {
  readonly requests: number;
  readonly pages: number;
  readonly missing: readonly string[];
}

/**
 * Requests the first page of a built site, then each address on the same host that a requested page, script
 * or style sheet contains.
 */
export async function crawl(directory: string, base: string): Promise<Crawl> {
  await using site = await serveSite(directory, base);
  const first = new URL(base, site.origin).href;
  const from = new Map([[first, 'the start']]);
  const missing: string[] = [];
  let pages = 0;
  // The iteration of a map includes entries that are added during the iteration.
  for (const [address, page] of from) {
    const response = await fetch(address);
    const text = await response.text();
    const { pathname } = new URL(address);
    if (!response.ok) {
      missing.push(`${pathname} of ${page}`);
      continue;
    }
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) pages++;
    for (const target of targetsIn(text, type)) {
      const found = new URL(target, address);
      found.hash = found.search = '';
      const isOfSite = found.origin === site.origin && !isOtherVersion(found.pathname, base);
      if (isOfSite && !from.has(found.href)) from.set(found.href, pathname);
    }
  }
  return { requests: from.size, pages, missing };
}

/** The addresses that a browser requests to show a document, and those of the links in the document. */
function targetsIn(text: string, type: string): string[] {
  const pattern = type.startsWith('text/html')
    ? /\s(?:href|src)="([^"]*)"/g
    : type.startsWith('text/javascript')
      ? /(?:from|import)\s*\(?["'](\.{0,2}\/[^"']+)["']/g
      : /url\(["']?([^"')]+)/g;
  return Array.from(text.matchAll(pattern), ([, target = '']) => target.replaceAll('&amp;', '&')).filter(
    (target) => !/^(?:data|mailto|javascript):/.test(target),
  );
}
