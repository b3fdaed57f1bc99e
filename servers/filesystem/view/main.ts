import { connectView, type Host } from '@mcp/views/browser';
import { byId, fullScreenIn, Refresher } from '@mcp/views/dom';
import { messageOf } from '@mcp/views/model';
import { Page } from './page.ts';

type Arguments = { readonly [name: string]: unknown };
type Result = Awaited<ReturnType<Host['callTool']>>;

/** The tools of this server that show the page. A server that mounts it may give them a prefix. */
const shownBy = ['directory_tree', 'list_directory_with_sizes', 'read_text_file', 'edit_file'] as const;

let prefix = '';
let tool: (typeof shownBy)[number] = 'directory_tree';
let asked: Arguments = {};

/** Calls a tool. Rejects with the text of a result that is an error. */
async function call(name: string, args: Arguments): Promise<Result> {
  const result = await (await host).callTool(`${prefix}${name}`, args);
  if (result.isError) throw new Error(textOf(result));
  return result;
}

const page = new Page({
  call: async (name, args) => (await call(name, args)).structuredContent,
  edit: async (args) => textOf(await call('edit_file', args)),
  decided(what) {
    // A host may not take it; the user sees the state of the edit all the same.
    host.then((each) => each.updateModelContext({ content: what })).catch(() => {});
  },
});

// A file is read only if it has another time or size.
const refresher = new Refresher(() => page.refresh(), { gapMs: 1_000, everyMs: 3_000 });
refresher.want();

const showScreen = fullScreenIn(byId('whole'), async (mode) => (await host).requestDisplayMode(mode));

const host = connectView({
  name: 'filesystem',
  version: '1.0.0',
  displayModes: ['inline', 'fullscreen'],
  onInput(args) {
    asked = args;
    const path = pathOf(args);
    if (tool === 'read_text_file') void page.openFile(path, firstLine(args['offset']));
    else if (tool !== 'edit_file') page.openDirectory(path);
  },
  onResult(result) {
    if (result.isError) page.failed(textOf(result));
    else if (tool === 'edit_file') page.openEdit(asked, textOf(result));
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
host.catch((error: unknown) => page.failed(messageOf(error)));

function pathOf(args: Arguments): string {
  const given = ['path', 'file_path', 'filePath', 'directory'].map((name) => args[name]);
  return given.find((value) => typeof value === 'string') ?? '.';
}

function firstLine(offset: unknown): number {
  return typeof offset === 'number' ? Math.max(0, Math.floor(offset) - 1) : 0;
}

function textOf({ content }: Result): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}
