/** The kind of an argument, which decides its hostile values. */
export type Kind =
  | 'revision'
  | 'name'
  | 'path'
  | 'tree path'
  | 'new path'
  | 'text'
  | 'message'
  | 'author'
  | 'date'
  | 'cursor'
  | 'url'
  | 'lines of a diff'
  | 'index of a diff'
  | 'lines of a file'
  | 'function';

/** The values of a kind: refused by an error that matches, or taken literally without an effect. */
interface Hostile {
  readonly refused: readonly string[];
  readonly error: RegExp;
  readonly literal?: readonly string[];
}

const long = 'x'.repeat(10_000);

export const hostile: { readonly [kind in Kind]: Hostile } = {
  revision: {
    refused: [
      '--output=x',
      '-f',
      '-',
      '--all',
      '^HEAD',
      'a b',
      '\0',
      'HEAD\n',
      ':/x',
      ':0:a.txt',
      'HEAD:../x',
      long,
    ],
    error: /^Invalid (revision|range|branch name|path inside a revision): /,
  },
  name: {
    refused: [
      '--force',
      '-D',
      'a..b',
      'a b',
      'x.lock',
      'HEAD',
      'a\nb',
      '.x',
      'a/../b',
      '@{-1}',
      'x:y',
      '\0',
      long,
    ],
    error: /^Invalid (branch|tag|remote) name: /,
  },
  path: {
    refused: [
      '../outside/secret.txt',
      '/etc/passwd',
      '.git/config',
      '.GIT/x',
      'git~1/x',
      'a/../../x',
      'x\0',
      '',
      long,
    ],
    error: /^(Outside the repository|Inside the git directory|Invalid path): /,
    literal: [
      '-A',
      '--all',
      ':/',
      ':(top)a.txt',
      ':!a.txt',
      '*',
      '--pathspec-from-file=/etc/passwd',
      'out/secret.txt',
    ],
  },
  'tree path': {
    refused: ['../outside/secret.txt', '/etc/passwd', 'a/../../x', 'x\0', long],
    error: /^Invalid path inside a revision: /,
    literal: ['--textconv', '.git/config', ':/', '*', 'out/secret.txt', 'a\nHEAD:a.txt'],
  },
  'new path': {
    refused: ['../../outside/new', '/etc/new', 'out/new', 'x\0'],
    error: /^(Outside the allowed directories|Invalid path|No such directory|Not a linked work tree): /,
  },
  text: {
    refused: ['a\0b'],
    error: /^Invalid (text|pattern): /,
    literal: ['--all', '-P', '--output=x', '-e', '$(touch x)', '--open-files-in-pager=x'],
  },
  message: { refused: ['a\0b'], error: /^Invalid message: / },
  author: {
    refused: ['x <y>\nparent 0', 'x <y> <z>', 'x\0 <y>', '<y>', '--all', long],
    error: /^Invalid author: /,
  },
  date: {
    refused: ['--output=x', 'whenever', "2 weeks ago'; x", '2026-01-01\n', '2026-02-30', '-1', long],
    error: /^Invalid date: /,
  },
  cursor: {
    refused: [
      '-1',
      '--output=x',
      '0.--all',
      '1e3',
      '9'.repeat(30),
      '0.HEAD',
      `0.${'0'.repeat(40)}..--all`,
      '',
      long,
    ],
    error: /^Invalid cursor: /,
  },
  url: {
    refused: [
      '--upload-pack=x',
      '-d',
      'ext::sh -c x',
      'file:///etc',
      '../../outside',
      'https://x/\n[core]',
      'x\0',
      '',
    ],
    error: /^(Invalid URL of a remote|Outside the allowed directories|No such directory)/,
  },
  'lines of a diff': {
    refused: ['--all', '+0x1', '+5-2', '@@ -1 +1', '1-3', '+', '+1\n+2', '', long],
    error: /^Invalid lines/,
  },
  'index of a diff': {
    refused: ['--cached', 'HEAD..HEAD', 'aaaa', 'aaaa..', 'aaaa...bbbb', 'aaaa..bbbb\n', '', long],
    error: /^Invalid index/,
  },
  'lines of a file': {
    refused: ['0', '5-2', '/x/', '1,2:/etc/passwd', '-1', '1-', ':x', '1\n', '', long],
    error: /^Invalid lines: /,
  },
  function: {
    refused: ['a(b*)*c', '/x/,+1:/etc/passwd', 'a b', 'x\n', '\0', '', long],
    error: /^Invalid function: /,
    literal: ['--output', '.*', '$x'],
  },
};

/** Each argument that takes text, with the other arguments of a call. */
export const textArguments: Readonly<Record<string, readonly [kind: Kind, others?: object]>> = {
  'git_status cursor': ['cursor'],
  'git_diff_unstaged paths': ['path'],
  'git_diff_unstaged cursor': ['cursor'],
  'git_diff_staged paths': ['path'],
  'git_diff_staged cursor': ['cursor'],
  'git_diff target': ['revision'],
  'git_diff paths': ['path', { target: 'HEAD' }],
  'git_diff cursor': ['cursor', { target: 'HEAD' }],
  'git_log start_timestamp': ['date'],
  'git_log end_timestamp': ['date'],
  'git_log revision': ['revision'],
  'git_log path': ['path'],
  'git_log author': ['text'],
  'git_log grep': ['text'],
  'git_log changed_text': ['text'],
  'git_log changed_regexp': ['text'],
  'git_log lines': ['lines of a file', { path: 'a.txt' }],
  'git_log function': ['function', { path: 'a.txt' }],
  'git_log cursor': ['cursor'],
  'git_show revision': ['revision'],
  'git_show paths': ['path', { revision: 'HEAD' }],
  'git_show cursor': ['cursor', { revision: 'HEAD' }],
  'git_branch contains': ['revision'],
  'git_branch not_contains': ['revision'],
  'git_branch merged': ['revision'],
  'git_branch not_merged': ['revision'],
  'git_branch cursor': ['cursor'],
  'git_blame path': ['path'],
  'git_blame revision': ['revision', { path: 'a.txt' }],
  'git_blame function': ['function', { path: 'a.txt' }],
  'git_grep pattern': ['text'],
  'git_grep revision': ['revision', { pattern: 'x' }],
  'git_grep paths': ['path', { pattern: 'x' }],
  'git_read_file path': ['tree path'],
  'git_read_file revision': ['revision', { path: 'a.txt' }],
  'git_add files': ['path'],
  'git_add lines': ['lines of a diff', { files: ['a.txt'], index: 'aaaa..bbbb' }],
  'git_add index': ['index of a diff', { files: ['a.txt'], lines: ['+1'] }],
  'git_commit message': ['message'],
  'git_commit files': ['path', { message: 'x' }],
  'git_commit author': ['author', { message: 'x' }],
  'git_commit lines': ['lines of a diff', { message: 'x', files: ['a.txt'], index: 'aaaa..bbbb' }],
  'git_commit index': ['index of a diff', { message: 'x', files: ['a.txt'], lines: ['+1'] }],
  'git_commit fixup': ['revision', { message: 'x' }],
  'git_commit squash': ['revision', { message: 'x' }],
  'git_commit reword': ['revision', { message: 'x' }],
  'git_reset revision': ['revision'],
  'git_checkout branch_name': ['revision'],
  'git_create_branch branch_name': ['name'],
  'git_create_branch base_branch': ['revision', { branch_name: 'x' }],
  'git_create_branch rename': ['name', { branch_name: 'x' }],
  'git_create_branch upstream': ['revision', { branch_name: 'main' }],
  'git_delete_branch branch_name': ['name'],
  'git_restore paths': ['path'],
  'git_restore source': ['revision', { paths: ['a.txt'] }],
  'git_stash message': ['message', { action: 'save' }],
  'git_stash commit': ['revision', { action: 'apply' }],
  'git_tag name': ['name', { action: 'create' }],
  'git_tag revision': ['revision', { action: 'create', name: 'x' }],
  'git_tag message': ['message', { action: 'create', name: 'x' }],
  'git_integrate revision': ['revision', { action: 'cherry-pick' }],
  'git_integrate onto': ['revision', { action: 'rebase', revision: 'HEAD' }],
  'git_worktree path': ['new path', { action: 'add' }],
  'git_worktree to': ['new path', { action: 'move', path: 'new' }],
  'git_worktree branch': ['name', { action: 'add', path: 'new' }],
  'git_worktree revision': ['revision', { action: 'add', path: 'new' }],
  'git_bisect good': ['revision', { action: 'start' }],
  'git_bisect bad': ['revision', { action: 'start', good: 'HEAD' }],
  'git_bisect paths': ['path', { action: 'start', good: 'HEAD' }],
  'git_bisect revision': ['revision', { action: 'good' }],
  'git_range_diff before': ['revision'],
  'git_range_diff after': ['revision', { before: 'HEAD' }],
  'git_range_diff base': ['revision', { before: 'HEAD' }],
  'git_range_diff cursor': ['cursor', { before: 'HEAD~0' }],
  'git_shortlog path': ['path'],
  'git_shortlog revision': ['revision'],
  'git_shortlog start_timestamp': ['date'],
  'git_shortlog end_timestamp': ['date'],
  'git_submodule path': ['path', { action: 'update' }],
  'git_init path': ['new path'],
  'git_init initial_branch': ['name', { path: 'new' }],
  'git_remote name': ['name', { action: 'remove' }],
  'git_remote url': ['url', { action: 'add', name: 'x' }],
  'git_remote to': ['name', { action: 'rename', name: 'origin' }],
  'git_fetch remote': ['name'],
  'git_fetch branch': ['name', { remote: 'origin' }],
  'git_pull remote': ['name'],
  'git_pull branch': ['name', { remote: 'origin' }],
  'git_push remote': ['name'],
  'git_push branch': ['name', { remote: 'origin' }],
  'git_push to': ['name', { remote: 'origin' }],
  'git_clone url': ['url', { path: 'new' }],
  'git_clone path': ['new path', { url: 'https://git.example/x.git' }],
  'git_clone branch': ['name', { url: 'https://git.example/x.git', path: 'new' }],
};
