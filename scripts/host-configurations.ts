import { readFileSync, writeFileSync } from 'node:fs';

// Writes the section "In your host" of each server's README, in both languages:
// `node scripts/host-configurations.ts`

/** What a host starts for one server. */
interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

export const programs: readonly Program[] = [
  { name: 'filesystem', args: ['/path/to/allowed/directory'] },
  { name: 'git', args: ['--repository', '/path/to/repository'] },
  { name: 'sqlite', args: ['/path/to/database.db'] },
  { name: 'weather', args: [] },
  { name: 'run', args: ['/path/to/commands.json'] },
];

/** The configuration of one host. */
export interface HostConfiguration {
  readonly title: string;
  /** The file, from the home directory or, without `~`, from the directory of a project. */
  readonly file: string;
  /** The file on other systems than macOS. */
  readonly elsewhere?: { readonly Windows?: string; readonly Linux?: string };
  /** The text in the format of this host; without it, the host reads the README's first configuration. */
  readonly own?: { readonly language: 'json' | 'toml'; readonly text: string };
  /** A command or a link that adds this configuration to the host. */
  readonly shortcut?: string;
}

/** The configuration of a server in the format of each host. */
export function hostConfigurations({ name, args: own }: Program): HostConfiguration[] {
  const entry = { command: 'npx', args: ['-y', `@mcp/server-${name}`, ...own] };
  const json = (value: object) => ({ language: 'json' as const, text: JSON.stringify(value, null, 2) });
  const shell = [entry.command, ...entry.args].join(' ');
  const code = encodeURIComponent(JSON.stringify({ name, ...entry }));
  const cursor = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  const toml = [
    `[mcp_servers.${name}]`,
    `command = ${JSON.stringify(entry.command)}`,
    `args = [${entry.args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  ].join('\n');
  return [
    {
      title: 'Claude Desktop',
      file: '~/Library/Application Support/Claude/claude_desktop_config.json',
      elsewhere: {
        Windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
        Linux: '~/.config/Claude/claude_desktop_config.json',
      },
    },
    {
      title: 'Claude Code',
      file: '.mcp.json',
      shortcut: `\`claude mcp add -s project ${name} -- ${shell}\``,
    },
    {
      title: 'VS Code',
      file: '.vscode/mcp.json',
      own: json({ servers: { [name]: { type: 'stdio', ...entry } } }),
      shortcut: `[install in VS Code](https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${code}`)})`,
    },
    {
      title: 'Cursor',
      file: '~/.cursor/mcp.json',
      shortcut: `[install in Cursor](https://cursor.com/en/install-mcp?name=${name}&config=${cursor})`,
    },
    { title: 'Windsurf', file: '~/.codeium/windsurf/mcp_config.json' },
    {
      title: 'Zed',
      file: '~/.config/zed/settings.json',
      elsewhere: { Windows: '%APPDATA%\\Zed\\settings.json' },
      own: json({ context_servers: { [name]: { source: 'custom', ...entry } } }),
    },
    { title: 'Cline', file: '~/.cline/data/settings/cline_mcp_settings.json' },
    {
      title: 'Codex',
      file: '~/.codex/config.toml',
      own: { language: 'toml', text: toml },
      shortcut: `\`codex mcp add ${name} -- ${shell}\``,
    },
    {
      title: 'Gemini CLI',
      file: '~/.gemini/settings.json',
      shortcut: `\`gemini mcp add -s user ${name} ${shell}\``,
    },
    {
      title: 'opencode',
      file: 'opencode.json',
      own: json({ mcp: { [name]: { type: 'local', command: [entry.command, ...entry.args] } } }),
    },
  ];
}

const begin = '<!-- hosts: written by `node scripts/host-configurations.ts` -->';
const end = '<!-- /hosts -->';

/** The words of the section in one language. */
interface Words {
  readonly heading: string;
  readonly these: string;
  readonly columns: readonly [host: string, file: string, shortcut: string];
  readonly own: string;
  readonly windows: (command: string) => string;
  readonly colon: string;
  readonly comma: string;
  readonly or: string;
  /**
   * Returns a link that installs the server in a host, with its text in this language. `link` is the link
   * with English text.
   */
  readonly install: (link: string) => string;
}

const english: Words = {
  heading: 'In your host',
  these: 'These read the configuration above:',
  columns: ['host', 'file', 'or'],
  own: 'VS Code, Zed, Codex and opencode have formats of their own',
  windows: (command) =>
    `On Windows, \`npx\` is a script, which not every host can start: where one does not, write ${command}.`,
  colon: ': ',
  comma: ', ',
  or: ', or ',
  install: (link) => link,
};

const chinese: Words = {
  heading: '在宿主中配置',
  these: '以下宿主读取上面的配置：',
  columns: ['宿主', '文件', '或者'],
  own: 'VS Code、Zed、Codex 和 opencode 使用各自的格式',
  windows: (command) =>
    `在 Windows 上，\`npx\` 是一个脚本，并非每个宿主都能启动它：如果启动不了，请写 ${command}。`,
  colon: '：',
  comma: '，',
  or: '，或者 ',
  install: (link) => link.replace(/^\[install in ([^\]]+)\]/, '[在 $1 中安装]'),
};

/** The READMEs of a server, and the language of each. */
const documents = { 'README.md': english, 'README.zh-CN.md': chinese };

/** A README with its section of configurations replaced; the section stands before "Tools". */
export function withHostSection(readme: string, program: Program, words: Words = english): string {
  const [before = ''] = readme.split(readme.includes(begin) ? begin : '## Tools\n');
  const after = readme.includes(end)
    ? readme.split(end)[1]!
    : `\n\n## Tools\n${readme.split('## Tools\n')[1]!}`;
  return `${before}${begin}\n\n${section(program, words)}\n\n${end}${after}`;
}

function section(program: Program, words: Words): string {
  const hosts = hostConfigurations(program);
  const rows = hosts.flatMap((host) =>
    host.own ? [] : `| ${host.title} | ${filesOf(host, words)} | ${words.install(host.shortcut ?? '')} |`,
  );
  const blocks = hosts.flatMap((host) => {
    const { title, own, shortcut } = host;
    if (!own) return [];
    const or = shortcut ? `${words.or}${words.install(shortcut)}` : '';
    const where = `**${title}**${words.colon}${filesOf(host, words)}${or}`;
    return [where, `\`\`\`${own.language}\n${own.text}\n\`\`\``];
  });
  return [
    `## ${words.heading}`,
    words.these,
    [`| ${words.columns.join(' | ')} |`, '|---|---|---|', ...rows].join('\n'),
    words.windows(windowsCommand(program)),
    `<details><summary>${words.own}</summary>`,
    ...blocks,
    '</details>',
  ].join('\n\n');
}

/** The files of a host: `~/…`, Windows `%APPDATA%\…` */
function filesOf({ file, elsewhere = {} }: HostConfiguration, { comma }: Words): string {
  const others = Object.entries(elsewhere).map(([system, path]) => `${system} \`${path}\``);
  return [`\`${file}\``, ...others].join(comma);
}

/** The members of an entry that starts `npx` by the command interpreter of Windows. */
function windowsCommand({ name, args }: Program): string {
  const whole = ['/c', 'npx', '-y', `@mcp/server-${name}`, ...args];
  const list = whole.map((arg) => JSON.stringify(arg)).join(', ');
  return `\`"command": "cmd", "args": [${list}]\``;
}

if (import.meta.main) {
  for (const program of programs) {
    for (const [document, words] of Object.entries(documents)) {
      const file = new URL(`../servers/${program.name}/${document}`, import.meta.url);
      writeFileSync(file, withHostSection(readFileSync(file, 'utf8'), program, words));
    }
  }
}
