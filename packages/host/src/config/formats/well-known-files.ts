import { join, relative } from 'node:path';
import { directoryIn } from '../home-directory.ts';
import type { Scope } from '../entry/server-entry.ts';
import type { FormatName } from './formats.ts';
import { projectDirectories, realPath } from './project-directories.ts';

/** A configuration file of a host, which may not exist. */
export interface WellKnownFile {
  readonly path: string;
  readonly format: FormatName;
  readonly scope: Scope;
  /** The directory of the project that has the file; undefined for a file of the user. */
  readonly project?: string;
  /** The part of Claude Code's file that is read: the entries of one project (`local`), or of the user. */
  readonly part?: 'local' | 'user';
}

export interface Environment {
  readonly home: string;
  /** The current directory; for the entries of a project's file, the directory of that project. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** The configuration files of all known hosts, those of higher precedence first. */
export function wellKnownFiles(environment: Environment): WellKnownFile[] {
  const { home } = environment;
  const [local, ...others] = filesOfUser(environment);
  // In the home directory, a file of the user is not one of a project.
  const own = new Set(others.flatMap(({ path }) => [path, join(realPath(home), relative(home, path))]));
  const ofProjects = projectDirectories(environment).flatMap(filesOfProject);
  return [local!, ...ofProjects.filter(({ path }) => !own.has(path)), ...others];
}

/** The files of the user, of which the first one has the entries of one project. */
function filesOfUser(environment: Environment): WellKnownFile[] {
  const { home } = environment;
  const config = configDirectory(environment);
  const application = applicationDirectory(environment);
  const ofUser = (path: string, format: FormatName): WellKnownFile => ({ path, format, scope: 'user' });
  const claude = ofUser(join(home, '.claude.json'), 'claude-code');
  return [
    { ...claude, part: 'local' },
    ofUser(join(config, 'mcp', 'mcp.json'), 'mcp'),
    { ...claude, part: 'user' },
    ofUser(join(application, 'Claude', 'claude_desktop_config.json'), 'claude-desktop'),
    ofUser(join(application, 'Code', 'User', 'mcp.json'), 'vscode'),
    ofUser(join(application, 'Code - Insiders', 'User', 'mcp.json'), 'vscode'),
    ofUser(join(home, '.cursor', 'mcp.json'), 'cursor'),
    ofUser(join(home, '.codeium', 'windsurf', 'mcp_config.json'), 'windsurf'),
    ofUser(join(directoryIn('CODEX_HOME', environment) ?? join(home, '.codex'), 'config.toml'), 'codex'),
    ofUser(join(home, '.gemini', 'settings.json'), 'gemini'),
    ofUser(clineFile(environment), 'cline'),
    ofUser(join(application, 'Code', 'User', 'globalStorage', ...clineExtension), 'cline'),
    ofUser(join(application, 'Code', 'User', 'globalStorage', ...rooSettings), 'roo'),
    ofUser(
      environment.platform === 'win32'
        ? join(application, 'Zed', 'settings.json')
        : join(config, 'zed', 'settings.json'),
      'zed',
    ),
    ofUser(join(config, 'opencode', 'opencode.json'), 'opencode'),
    ofUser(join(config, 'opencode', 'opencode.jsonc'), 'opencode'),
    ofUser(
      join(directoryIn('COPILOT_HOME', environment) ?? join(home, '.copilot'), 'mcp-config.json'),
      'copilot',
    ),
    ofUser(join(home, '.kiro', 'settings', 'mcp.json'), 'kiro'),
    ofUser(join(home, '.mcporter', 'mcporter.json'), 'mcporter'),
  ];
}

const clineSettings = ['settings', 'cline_mcp_settings.json'];
/** Where the VS Code extension of Cline kept its settings before Cline had a command line. */
const clineExtension = ['saoudrizwan.claude-dev', ...clineSettings];
const rooSettings = ['rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json'];

function clineFile(environment: Environment): string {
  const directory = directoryIn('CLINE_DIR', environment) ?? join(environment.home, '.cline');
  const data = directoryIn('CLINE_DATA_DIR', environment) ?? join(directory, 'data');
  return directoryIn('CLINE_MCP_SETTINGS_PATH', environment) ?? join(data, ...clineSettings);
}

/** The directory where command line programs keep their settings. */
function configDirectory(environment: Environment): string {
  return directoryIn('XDG_CONFIG_HOME', environment) ?? join(environment.home, '.config');
}

/** The directory where programs with windows keep their settings. */
function applicationDirectory(environment: Environment): string {
  const { home, platform } = environment;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return directoryIn('APPDATA', environment) ?? join(home, 'AppData', 'Roaming');
  return configDirectory(environment);
}

/** The files in the directory of a project, those of higher precedence first. */
const inProject: readonly (readonly [path: string, format: FormatName])[] = [
  ['.mcp.json', 'claude-code'],
  ['.vscode/mcp.json', 'vscode'],
  ['.cursor/mcp.json', 'cursor'],
  ['.gemini/settings.json', 'gemini'],
  ['.roo/mcp.json', 'roo'],
  ['.kiro/settings/mcp.json', 'kiro'],
  ['.codex/config.toml', 'codex'],
  ['.zed/settings.json', 'zed'],
  ['opencode.json', 'opencode'],
  ['opencode.jsonc', 'opencode'],
  ['.github/mcp.json', 'copilot'],
  ['config/mcporter.json', 'mcporter'],
];

function filesOfProject(project: string): WellKnownFile[] {
  return inProject.map(([path, format]) => ({
    path: join(project, path),
    format,
    scope: 'project',
    project,
  }));
}
