import { posix } from 'node:path';
import { defineConfig, type HeadConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { chinese } from './chinese.ts';
import { repository, siteAddress } from './repository-links.ts';
import { search } from './search.ts';
import { siteBase, siteOrigin } from '../site-base.ts';

/** The entry points of the packages, whose pages come from the comments of their source. */
const entries = [
  'protocol',
  'protocol/stdio',
  'protocol/http',
  'protocol/web',
  'protocol/command-line',
  'protocol/tasks',
  'protocol/json-schema',
  'protocol/wrap',
  'protocol/state',
  'protocol/telemetry',
  'protocol/client',
  'protocol/testing',
  'watch',
  'sandbox',
  'sqlite-pool',
  'weather-data',
  'weather-data/units',
  'run-commands',
  'safe-git',
  'outline',
  'documents',
  'vendors',
  'vendors/content',
  'authorization',
  'verifiers',
  'redis',
  'openapi',
  'skills',
  'views',
  'views/browser',
  'views/dom',
  'views/model',
  'login',
  'login/command-line',
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
  ...(siteOrigin && { sitemap: { hostname: `${siteOrigin}${siteBase}` } }),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${siteBase}icon.svg` }]],
  // Vite must not warn of the largest chunk, which is the search index.
  vite: {
    build: { chunkSizeWarningLimit: 2000 },
    // Writes llms.txt, and each page as Markdown too, for models.
    plugins: [llmstxt({ ignoreFiles: ['zh-CN/**'] })],
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // Short inline code, such as the name of a package, is not wrapped at its hyphens.
      md.core.ruler.push('whole-names', (state) => {
        for (const token of state.tokens.flatMap((each) => each.children ?? []))
          if (token.type === 'code_inline' && token.content.length <= maxWholeLength)
            token.attrJoin('class', 'whole');
      });
      // The picture of the tour cannot be paused, so a page shows the tour itself.
      md.core.ruler.push('tour', ({ tokens, Token }) => {
        const picture = tokens.findIndex(({ content }) => /^!\[.*\]\((?:\.\.\/)?tour\.svg\)$/.test(content));
        if (picture === -1) return;
        const tour = Object.assign(new Token('html_block', '', 0), { content: '<Tour />\n' });
        // The paragraph opens, has the picture and closes.
        tokens.splice(picture - 1, 3, tour);
      });
      // A link out of docs/ leads to the page that shows the document, or to the repository.
      md.core.ruler.push('repository-links', (state) => {
        const directory = posix.dirname(String(state.env.relativePath ?? 'index.md'));
        for (const token of state.tokens.flatMap((each) => each.children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          const address = href === null ? undefined : siteAddress(href, directory);
          if (address !== undefined) token.attrSet('href', address);
        }
      });
    },
  },
  transformPageData(page) {
    // The reference, and the pages of servers, are made of other files.
    if (/^(?:reference|servers)\//.test(page.relativePath)) page.frontmatter['editLink'] = false;
  },
  transformHead({ page, title, description }) {
    const isPage = !page.startsWith('zh-CN/') && page !== '404.md' && page !== 'index.md';
    const meta = (property: string, content: string): HeadConfig => ['meta', { property, content }];
    return [
      meta('og:type', 'website'),
      meta('og:title', title),
      meta('og:description', description),
      // These need a whole address.
      ...(siteOrigin
        ? [
            meta(
              'og:url',
              `${siteOrigin}${siteBase}${page.replace(/(index)?\.md$/, (_, index) => (index ? '' : '.html'))}`,
            ),
            meta('og:image', `${siteOrigin}${siteBase}preview.png`),
          ]
        : []),
      ...(isPage
        ? [['link', { rel: 'alternate', type: 'text/markdown', href: `${siteBase}${page}` }] as HeadConfig]
        : []),
    ];
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
    logo: '/icon.svg',
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: repository }],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Servers', link: '/servers/filesystem', activeMatch: '^/servers/' },
      { text: 'Write your own', link: '/tutorial', activeMatch: '^/(tutorial|guides)' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
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
          { text: 'An HTTP API', link: '/guides/openapi' },
          { text: 'Skills', link: '/guides/skills' },
          { text: 'Views', link: '/guides/views' },
          { text: 'Test', link: '/guides/test' },
          { text: 'Publish', link: '/guides/publish' },
          { text: 'With a coding agent', link: '/guides/coding-agents' },
        ],
      },
      {
        text: 'Operate',
        items: [
          { text: 'Over HTTP', link: '/http' },
          { text: 'Authorization', link: '/guides/authorization' },
          { text: 'In ChatGPT and Claude', link: '/guides/web-hosts' },
          { text: 'Several replicas', link: '/guides/replicas' },
          { text: 'One machine, ten, a thousand', link: '/scale' },
          { text: 'Probes, metrics and logs', link: '/guides/operate' },
          { text: 'Traces and metrics', link: '/guides/telemetry' },
          { text: 'Security', link: '/security' },
        ],
      },
      {
        text: 'In a framework',
        items: [
          { text: 'Express', link: '/frameworks/express' },
          { text: 'Fastify', link: '/frameworks/fastify' },
          { text: 'Hono', link: '/frameworks/hono' },
          { text: 'Next', link: '/frameworks/next' },
          { text: 'Nest', link: '/frameworks/nest' },
        ],
      },
      {
        text: 'Deploy',
        items: [
          { text: 'A container', link: '/deploy/container' },
          { text: 'Kubernetes', link: '/deploy/kubernetes' },
          { text: 'Cloudflare Workers', link: '/deploy/cloudflare-workers' },
          { text: 'Deno', link: '/deploy/deno' },
          { text: 'Bun', link: '/deploy/bun' },
          { text: 'AWS Lambda', link: '/deploy/aws-lambda' },
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
        text: 'Coming from',
        items: [
          ...official.map((name) => ({ text: `Official ${title(name)}`, link: `/coming-from/${name}` })),
          { text: 'Official SDK', link: '/coming-from/sdk' },
          { text: 'fastmcp', link: '/coming-from/fastmcp' },
          { text: 'FastMCP for Python', link: '/coming-from/fastmcp-python' },
          { text: 'mcp-handler', link: '/coming-from/mcp-handler' },
          { text: 'tmcp', link: '/coming-from/tmcp' },
          { text: 'xmcp', link: '/coming-from/xmcp' },
        ],
      },
      {
        text: 'Background',
        items: [
          { text: 'Revisions', link: '/revisions' },
          { text: 'Decisions', link: '/decisions' },
          { text: 'Comparison', link: '/comparison' },
          { text: 'Side by side', link: '/side-by-side' },
          { text: '25 jobs at a terminal', link: '/host-jobs' },
          { text: 'Benchmarks', link: '/benchmarks' },
          { text: 'Quality', link: '/quality' },
        ],
      },
    ],
    footer: { message: 'Released under the MIT License.' },
  },
});

function title(name: string): string {
  return name === 'sqlite' ? 'SQLite' : name === 'git' ? 'Git' : name[0]!.toUpperCase() + name.slice(1);
}
