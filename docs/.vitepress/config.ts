import { posix } from 'node:path';
import { defineConfig } from 'vitepress';
import { chinese } from './chinese.ts';
import { search } from './search.ts';
import { siteBase } from '../site-base.ts';

const repository = 'https://github.com/mcp-reference/servers';

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

/** The entry points of the packages, whose pages come from the comments of their source. */
const entries = [
  'protocol',
  'protocol/stdio',
  'protocol/http',
  'protocol/web',
  'protocol/command-line',
  'protocol/tasks',
  'protocol/wrap',
  'protocol/state',
  'protocol/client',
  'protocol/testing',
  'watch',
  'sandbox',
  'sqlite-pool',
  'weather-data',
  'run-commands',
  'safe-git',
  'outline',
  'documents',
  'vendors',
  'vendors/content',
  'authorization',
  'verifiers',
  'host',
];

/** The servers that have an official counterpart, each with a page about moving from the counterpart. */
const official = ['filesystem', 'git', 'sqlite', 'weather'];
const servers = [...official, 'run'];

/** Characters of code that fit on a line of a phone. */
const maxWholeLength = 28;

export default defineConfig({
  title: 'MCP servers',
  description:
    'Servers of the Model Context Protocol, ready to run or to copy, and the package to write your own.',
  base: siteBase,
  cleanUrls: false,
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteBase}icon.svg` }]],
  // Vite must not warn of the largest chunk, which is the search index.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // Short inline code, such as the name of a package, is not wrapped at its hyphens.
      md.core.ruler.push('whole-names', (state) => {
        for (const token of state.tokens.flatMap((each) => each.children ?? []))
          if (token.type === 'code_inline' && token.content.length <= maxWholeLength)
            token.attrJoin('class', 'whole');
      });
      // A link out of docs/ leads to the page that shows the document, or to the repository.
      md.core.ruler.push('repository-links', (state) => {
        const directory = posix.dirname(String(state.env.relativePath ?? 'index.md'));
        for (const token of state.tokens.flatMap((each) => each.children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href === null || /^([a-z]+:|#|\/)/.test(href)) continue;
          const [path = '', anchor] = posix.normalize(posix.join(directory, href)).split('#');
          if (!path.startsWith('../')) continue;
          const target = path.slice(3).replace(/\/$/, '');
          // A link to a section of a README leads to a page of the site only if the page includes that
          // section. The page does not have the other sections, so a link to one of them leads to the
          // repository.
          const included = shownSections.has(anchor ?? '') ? target.replace(/\/README\.md$/, '') : '';
          const page = pages[anchor ? included : target];
          token.attrSet('href', (page ?? `${repository}/blob/main/${target}`) + (anchor ? `#${anchor}` : ''));
        }
      });
    },
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    'zh-CN': chinese,
  },
  themeConfig: {
    // Few pages are translated, so the menu of languages leads to the home page, not to the same page.
    i18nRouting: false,
    search,
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Servers', link: '/servers/filesystem', activeMatch: '^/servers/' },
      { text: 'Write your own', link: '/tutorial', activeMatch: '^/(tutorial|guides)' },
      { text: 'Help', link: '/troubleshooting' },
    ],
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'Start in one minute', link: '/start' },
          { text: 'In a clone', link: '/clone' },
          { text: 'What MCP is', link: '/what-is-mcp' },
          { text: 'Troubleshooting', link: '/troubleshooting' },
          { text: 'Questions', link: '/faq' },
        ],
      },
      { text: 'Servers', items: servers.map((name) => ({ text: title(name), link: `/servers/${name}` })) },
      {
        text: 'Write your own',
        items: [
          { text: 'Your first server', link: '/tutorial' },
          { text: 'A tool', link: '/guides/tool' },
          { text: 'A watched resource', link: '/guides/watched-resource' },
          { text: 'Ask the user', link: '/guides/ask-the-user' },
          { text: 'Progress', link: '/guides/progress' },
          { text: 'Test', link: '/guides/test' },
          { text: 'Publish', link: '/guides/publish' },
        ],
      },
      {
        text: 'Reference',
        items: entries.map((entry) => ({
          text: `@mcp/${entry}`,
          link: `/reference/${entry.replace('/', '-')}`,
        })),
      },
      {
        text: 'Operate',
        items: [
          { text: 'Over HTTP', link: '/http' },
          { text: 'Authorization', link: '/guides/authorization' },
          { text: 'Several replicas', link: '/guides/replicas' },
          { text: 'Security', link: '/security' },
        ],
      },
      {
        text: 'Coming from',
        items: [
          ...official.map((name) => ({ text: `Official ${title(name)}`, link: `/coming-from/${name}` })),
          { text: 'Official SDK', link: '/coming-from/sdk' },
        ],
      },
      {
        text: 'Background',
        items: [
          { text: 'Revisions', link: '/revisions' },
          { text: 'Decisions', link: '/decisions' },
          { text: 'Comparison', link: '/comparison' },
          { text: 'Benchmarks', link: '/benchmarks' },
        ],
      },
    ],
    footer: { message: 'Released under the MIT License.' },
  },
});

function title(name: string): string {
  return name === 'sqlite' ? 'SQLite' : name === 'git' ? 'Git' : name[0]!.toUpperCase() + name.slice(1);
}
