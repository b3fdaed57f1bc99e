import { connectView, type Host } from '@mcp/views/browser';
import { byId, fullScreenIn } from '@mcp/views/dom';
import { objectOf } from '@mcp/views/model';
import type { Arguments, Call } from './comparison.ts';
import {
  blameArguments,
  historyFilter,
  pathsIn,
  repositoryNames,
  revisionNames,
  targetNames,
  textIn,
} from './model/arguments.ts';
import { Page } from './page.ts';

/** The tools of this server that show the page. A server that mounts it may give them a prefix. */
const shownBy = [
  'git_log',
  'git_show',
  'git_status',
  'git_diff_unstaged',
  'git_diff_staged',
  'git_diff',
  'git_blame',
] as const;

type Result = Awaited<ReturnType<Host['callTool']>>;

let prefix = '';
let tool: (typeof shownBy)[number] = 'git_status';
/** The repository, once an answer has named it. */
let repository: Arguments = {};

const call: Call = async (name, args) => {
  const result = await (await host).callTool(`${prefix}${name}`, { ...repository, ...args });
  if (result.isError) throw new Error(textOf(result));
  const { repo_path: path } = objectOf(result.structuredContent);
  if (typeof path === 'string') repository = { repo_path: path };
  return { content: result.structuredContent, text: textOf(result) };
};

const page = new Page(call);
const showScreen = fullScreenIn(byId('whole'), async (mode) => (await host).requestDisplayMode(mode));

const host = connectView({
  name: 'git',
  version: '1.0.0',
  displayModes: ['inline', 'fullscreen'],
  onInput(args) {
    const path = textIn(args, repositoryNames);
    repository = path === undefined ? {} : { repo_path: path };
    show(args);
  },
  onResult(result) {
    if (result.isError) page.failed(textOf(result));
    else page.said = textOf(result);
  },
  onCancelled: () => page.failed('The call was cancelled'),
  onContext(context) {
    const name = String(context.toolInfo?.tool.name ?? '');
    const found = shownBy.find((each) => name.endsWith(each));
    if (found) [tool, prefix] = [found, name.slice(0, -found.length)];
    showScreen(context);
  },
});
host.catch((error: unknown) => page.failed(String(error)));

function show(args: Arguments): void {
  const paths = pathsIn(args);
  if (tool === 'git_log') {
    if (args['reflog'] !== true) page.history(historyFilter(args));
    else page.failed('The reflog is in the text of the answer');
  } else if (tool === 'git_show') {
    const revision = textIn(args, revisionNames) ?? 'HEAD';
    if (revision.includes(':')) page.failed('The file is in the text of the answer');
    else void page.compare({ commit: revision }, paths);
  } else if (tool === 'git_diff') {
    void page.compare({ target: textIn(args, targetNames) ?? 'HEAD' }, paths);
  } else if (tool === 'git_blame') {
    const { path, revision, ...others } = blameArguments(args);
    void page.blame(path, revision, others);
  } else {
    page.changes({ paths, group: tool === 'git_diff_staged' ? 'staged' : 'unstaged' });
  }
}

function textOf({ content }: Result): string {
  const [first] = content;
  return first?.type === 'text' ? first.text.slice(0, 20_000) : '';
}
