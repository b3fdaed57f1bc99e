import { listen, send } from './api.ts';
import {
  type Detail,
  promptDetail,
  resourceDetail,
  taskDetail,
  templateDetail,
  toolDetail,
} from './detail.ts';
import { byId, cut, element, trouble } from './dom.ts';
import { QuestionList } from './questions.ts';
import { serverNodes } from './server-detail.ts';
import { skillDetail } from './skill-detail.ts';
import { Timeline } from './timeline.ts';
import type { Item, Opened, PageEvent, ShownTask, Surroundings } from './types.ts';

const timeline = new Timeline();
const questions = new QuestionList();
const find = byId<HTMLInputElement>('find');
const opened = new Map<string, Opened>();
/** The tasks of all servers, by server and id. */
const tasks = new Map<string, ShownTask>();
let around: Surroundings = { servers: [], revisions: [], checks: false, version: '' };
let current: string | undefined;
let detail: Detail = {};
/** How often something else was to be shown. */
let turns = 0;
/** The chosen item, by its list and name. */
let chosen = '';

find.addEventListener('input', showItems);
listen(take, (isConnected) => {
  byId('state').textContent = isConnected ? '' : 'mcp inspect has ended';
});

function take(event: PageEvent): void {
  if (event.event === 'messages') timeline.add(event.messages);
  else if (event.event === 'question') questions.ask(event.question);
  else if (event.event === 'answered') questions.close(event.number);
  else if (event.event === 'progress') detail.progress?.(event);
  else if (event.event === 'updated' && event.server === current) detail.updated?.(event.uri);
  else if (event.event === 'task') takeTask(event.task);
  else if (event.event === 'closed') showServers();
  else if (event.event === 'servers') {
    around = event;
    showServers();
    const [first] = around.servers;
    if (current === undefined && first !== undefined) void open(first);
  }
}

function takeTask(task: ShownTask): void {
  const key = JSON.stringify([task.server, task.taskId]);
  const isNew = !tasks.has(key);
  tasks.set(key, task);
  if (isNew && task.server === current) showItems();
  detail.task?.(task);
}

/** Starts a server again, at the same revision. */
export function restart(server: string): Promise<void> {
  const revision = opened.get(server)?.revision;
  opened.delete(server);
  return open(server, revision);
}

async function open(server: string, revision?: string): Promise<void> {
  current = server;
  if (!(await leave())) return;
  showServers();
  if (!opened.has(server) || revision !== undefined) {
    byId('detail').replaceChildren(element('p', { role: 'status', class: 'quiet' }, `Starting ${server} …`));
    byId('items').replaceChildren();
    opened.delete(server);
    try {
      opened.set(server, await send<Opened>({ do: 'open', server, revision }));
      // A list that fails is among the messages.
      void send({ do: 'list-tasks', server }).catch(() => undefined);
    } catch (error) {
      if (current === server) byId('detail').replaceChildren(element('h2', {}, server), trouble(error));
    }
  }
  if (current !== server) return;
  showServers();
  showItems();
  if (opened.has(server)) showServer(server);
}

function showServers(): void {
  byId('servers').replaceChildren(
    ...around.servers.map((server) => {
      const about = opened.get(server);
      const isCurrent = server === current;
      const tab = element(
        'button',
        {
          type: 'button',
          'aria-current': isCurrent ? 'true' : undefined,
          class: about ? 'open' : '',
          on: { click: () => open(server) },
        },
        server,
      );
      if (!isCurrent || !about) return tab;
      const choice: HTMLSelectElement = element(
        'select',
        { 'aria-label': `Revision of ${server}`, on: { change: () => open(server, choice.value) } },
        ...around.revisions.map((each) =>
          element('option', { value: each, selected: each === about.revision }, each),
        ),
      );
      return element('span', { class: 'tab' }, tab, choice);
    }),
  );
}

function showServer(server: string): void {
  detail = {};
  chosen = '';
  byId('detail').replaceChildren(...serverNodes(server, opened.get(server)!, around));
}

function showItems(): void {
  const about = current === undefined ? undefined : opened.get(current);
  const word = find.value.toLowerCase();
  const group = <Each extends Item>(
    title: string,
    items: readonly Each[],
    show: (server: string, item: Each) => Detail,
  ) => {
    const found = items.filter(({ name, title: named = '', description = '' }) =>
      `${name} ${named} ${description}`.toLowerCase().includes(word),
    );
    if (found.length === 0) return [];
    const nodes = found.map((item) =>
      element(
        'li',
        {},
        element(
          'button',
          {
            type: 'button',
            'aria-current': `${title} ${item.name}` === chosen ? 'true' : undefined,
            title: cut(item.description ?? '', 'description'),
            on: {
              click: ({ currentTarget }) => {
                chosen = `${title} ${item.name}`;
                void choose(currentTarget as HTMLElement, () => show(current!, item));
              },
            },
          },
          cut(item.name, 'name'),
        ),
      ),
    );
    return [element('h2', {}, title, element('small', {}, ` ${items.length}`)), element('ul', {}, ...nodes)];
  };
  byId('items').replaceChildren(
    ...(about
      ? [
          ...group('Tools', about.tools, (server, tool) =>
            toolDetail(server, tool, {
              version: around.version,
              mayBeTask: about.taskTools.includes(tool.name),
            }),
          ),
          ...group('Resources', about.resources, resourceDetail),
          ...group('Templates', about.templates, templateDetail),
          ...group('Prompts', about.prompts, promptDetail),
          ...group('Skills', about.skills, skillDetail),
          ...group('Tasks', tasksOf(current!), (_, { key }) => taskDetail(tasks.get(key)!)),
        ]
      : []),
  );
}

/** The tasks of a server as items, the newest first. */
function tasksOf(server: string): readonly (Item & { readonly key: string })[] {
  return [...tasks]
    .filter(([, task]) => task.server === server)
    .map(([key, { taskId, tool }]) => ({ key, name: tool === undefined ? taskId : `${tool} ${taskId}` }))
    .toReversed();
}

async function choose(node: HTMLElement, show: () => Detail): Promise<void> {
  for (const each of byId('items').querySelectorAll('[aria-current]')) each.removeAttribute('aria-current');
  node.setAttribute('aria-current', 'true');
  if (await leave()) detail = show();
}

/** Ends what is shown; false if something else is to be shown meanwhile. */
async function leave(): Promise<boolean> {
  const turn = ++turns;
  const left = detail;
  detail = {};
  await left.close?.();
  return turn === turns;
}
