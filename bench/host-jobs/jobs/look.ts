import type { Job } from '../job.ts';
import { prints } from './checks.ts';
import { connect, inspect } from './commands.ts';

/** What there is: servers, tools, prompts and resources. */
export const lookJobs: readonly Job[] = [
  {
    title: 'Which servers do I have, and which file names each?',
    commands: {
      mcp: ['mcp list'],
      mcporter: ['mcporter config list --source import'],
      mcpc: 'it reads a file of a host only when a command names the file',
      Inspector: ['mcp-inspector --cli -q --method servers/list'],
    },
    check: prints(
      ['everything of Cursor', /everything[\s\S]*\.cursor/],
      ['memory of Claude Code', /memory[\s\S]*\.claude\.json/],
      ['weather of Codex', /weather[\s\S]*\.codex/],
      ['git of VS Code', /git[\s\S]*\.vscode/],
      ['files of the project', /files[\s\S]*\.mcp\.json/],
    ),
  },
  {
    title: 'All tools of all servers',
    commands: {
      mcp: ['mcp --yes tools'],
      mcporter: [
        'mcporter list everything --brief',
        'mcporter list memory --brief',
        'mcporter list weather --brief',
        'mcporter list git --brief',
        'mcporter list files --brief',
      ],
      mcpc: [
        connect,
        'mcpc connect ~/.claude.json:memory @memory',
        'mcpc connect .mcp.json:files @files',
        'mcpc connect ~/.codex/config.toml:weather @weather',
        'mcpc connect .vscode/mcp.json:git @git',
        'mcpc grep -E .',
      ],
      Inspector: [
        inspect('tools/list'),
        'mcp-inspector --cli -q --config ~/.claude.json --server memory --method tools/list',
        'mcp-inspector --cli -q --config .mcp.json --server files --method tools/list',
        'mcp-inspector --cli -q --method tools/list mcp-server-weather -- --demo',
        'mcp-inspector --cli -q --method tools/list mcp-server-git -- --repository .',
      ],
    },
    check: prints('get-sum', 'create_entities', 'read_text_file', 'git_log', 'forecast'),
  },
  {
    title: 'One tool in full: each argument with its type and description',
    commands: {
      mcp: ['mcp show everything.get-sum'],
      mcporter: ['mcporter list everything.get-sum'],
      mcpc: [connect, 'mcpc @everything tools-get get-sum'],
      Inspector: [inspect('tools/list')],
    },
    check: prints('Returns the sum', 'number', 'First number', 'Second number'),
  },
  {
    title: 'Which templates of resources are there; and one of them, read',
    commands: {
      mcp: ['mcp resources everything', 'mcp read everything demo://resource/dynamic/text/7'],
      mcporter: [
        'mcporter resource everything',
        'mcporter resource everything demo://resource/dynamic/text/7',
      ],
      mcpc: [
        connect,
        'mcpc @everything resources-templates-list',
        'mcpc @everything resources-read demo://resource/dynamic/text/7',
      ],
      Inspector: [
        inspect('resources/templates/list'),
        inspect('resources/read --uri demo://resource/dynamic/text/7'),
      ],
    },
    check: prints('dynamic/text/{resourceId}', 'Resource 7: This is a plaintext resource'),
  },
  {
    title: 'A prompt, and suggestions for one of its arguments',
    commands: {
      mcp: [
        'mcp complete everything.completable-prompt department=E',
        'mcp prompt everything.completable-prompt department=Engineering name=Alice',
      ],
      mcporter: 'it has neither prompts nor suggestions',
      mcpc: [connect, 'mcpc @everything prompts-get completable-prompt department:=Engineering name:=Alice'],
      Inspector: [
        inspect('completion/complete'),
        inspect(
          'prompts/get --prompt-name completable-prompt --prompt-args department=Engineering name=Alice',
        ),
      ],
    },
    check: prints('promote Alice to the head of the Engineering', ['the suggestion', /^Engineering$/m]),
  },
  {
    title: 'Where does this server come from, and how is it started?',
    commands: {
      mcp: ['mcp config explain memory'],
      mcporter: ['mcporter config get memory'],
      mcpc: 'it shows the command of an open session only',
      Inspector: ['mcp-inspector --cli -q --config ~/.claude.json --server memory --method servers/show'],
    },
    check: prints('mcp-server-memory', '.claude.json'),
  },
];
