import { connectView, type Host } from '@mcp/views/browser';
import { byId, fullScreenIn } from '@mcp/views/dom';
import { nameOf } from '@mcp/views/model';
import { statementsOf, writeFactsOf } from './model/write.ts';
import { type Arguments, Page } from './page.ts';

/** The tools of this server that show the page. A server that mounts it may give them a prefix. */
const shownBy = ['query', 'write', 'describe_table'] as const;

type Result = Awaited<ReturnType<Host['callTool']>>;

let prefix = '';
/** The tool whose call shows the page. */
let tool: (typeof shownBy)[number] | undefined;
let asked: Arguments = {};

/** Calls a tool. Rejects with the text of a result that is an error. */
async function call(name: string, args: Arguments): Promise<Result> {
  const result = await (await host).callTool(`${prefix}${name}`, args);
  if (result.isError) throw new Error(textOf(result));
  return result;
}

const page = new Page({
  readResult: async (args) => (await call('read_result', args)).structuredContent,
  readSchema: async (args) => (await call('read_schema', args)).structuredContent,
  async write(args) {
    const result = await call('write', args);
    return { facts: writeFactsOf(result.structuredContent, result['_meta']), text: textOf(result) };
  },
});

const showScreen = fullScreenIn(byId('whole'), async (mode) => (await host).requestDisplayMode(mode));

const host = connectView({
  name: 'sqlite',
  version: '1.0.0',
  displayModes: ['inline', 'fullscreen'],
  onInput(args) {
    asked = args;
    tool = toolOf(args);
    if (tool === 'describe_table')
      page.describe(args['database'], nameOf(args['table'] ?? args['table_name'], 1_000));
    if (tool === 'write') page.writing(statementsOf(args), args);
  },
  onResult(result) {
    if (tool === 'write')
      page.written(
        writeFactsOf(result.structuredContent, result['_meta']),
        textOf(result),
        result.isError === true,
      );
    else if (result.isError) page.failed(textOf(result));
    else if (tool === 'query') {
      const { format: _, limit: __, cursor: ___, ...query } = asked;
      page.query(query, textOf(result));
    }
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

/** The tool, as the host says, or else as its arguments look. */
function toolOf(args: Arguments): (typeof shownBy)[number] {
  if (tool) return tool;
  const [sql] = statementsOf(args);
  if (sql === undefined) return 'describe_table';
  return /^\s*(?:insert|update|delete|replace|create|alter|drop|analyze|reindex)\b/i.test(sql)
    ? 'write'
    : 'query';
}

function textOf({ content }: Result): string {
  const [first] = content;
  return first?.type === 'text' ? first.text.slice(0, 10_000) : '';
}
