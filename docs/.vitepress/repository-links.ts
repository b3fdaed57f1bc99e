import { posix } from 'node:path';

export const repository = 'https://github.com/mcp-reference/servers';

/** Documents of the repository that the site shows as pages. */
const pages: Readonly<Record<string, string>> = {
  'servers/filesystem': '/servers/filesystem',
  'servers/git': '/servers/git',
  'servers/sqlite': '/servers/sqlite',
  'servers/weather': '/servers/weather',
  'servers/run': '/servers/run',
  'SECURITY.md': '/security',
  'bench/README.md': '/benchmarks',
};

/** The anchors of README sections that the page of a server includes. */
const shownSections: ReadonlySet<string> = new Set(['in-your-host']);

/**
 * The address of what a link leads to, if that is outside `docs/`: the page of the site that shows the
 * document, or the file in the repository. Undefined for other links. `directory` is the page's, relative to
 * `docs/`.
 */
export function siteAddress(href: string, directory: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined;
  const [path = '', anchor] = posix.normalize(posix.join(directory, href)).split('#');
  if (!path.startsWith('../')) return undefined;
  const target = path.slice(3).replace(/\/$/, '');
  // A link to a section of a README leads to a page of the site only if the page includes that section. The
  // page does not have the other sections, so a link to one of them leads to the repository.
  const included = shownSections.has(anchor ?? '') ? target.replace(/\/README\.md$/, '') : '';
  const page = pages[anchor ? included : target];
  return (page ?? `${repository}/blob/main/${target}`) + (anchor ? `#${anchor}` : '');
}
