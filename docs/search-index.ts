import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { search as options } from './.vitepress/search.ts';

interface Index {
  search(query: string, options: object): readonly { readonly id: string }[];
}

/** The settings of the site's search. */
interface Own {
  readonly options: { readonly miniSearch: { readonly options: object; readonly searchOptions: object } };
}

/**
 * Returns the sections that the English search of the built site finds, best first, as paths such as
 * `/servers/git.html#in-your-host`.
 */
export async function search(site: string, query: string): Promise<readonly string[]> {
  const [file] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: site });
  if (file === undefined) throw new Error('The site has no search index');
  const { default: json } = (await import(pathToFileURL(join(site, file)).href)) as { default: string };
  // VitePress searches with MiniSearch, which is found as a dependency of VitePress.
  const require = createRequire(createRequire(import.meta.url).resolve('vitepress'));
  const { default: MiniSearch } = (await import(pathToFileURL(require.resolve('minisearch')).href)) as {
    default: { loadJSON(json: string, options: object): Index };
  };
  const { miniSearch } = (options as Own).options;
  const index = MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    ...miniSearch.options,
  });
  // The defaults of the search box.
  const boost = { title: 4, text: 2, titles: 1 };
  const found = index.search(query, { fuzzy: 0.2, prefix: true, boost, ...miniSearch.searchOptions });
  return found.map(({ id }) => id);
}
