import { isObject, messageOf } from '@mcp/kit';
import { send } from './api.ts';
import { button, byId, cut, element, trouble } from './dom.ts';
import { completed } from './completed-field.ts';
import { type Field, formFor } from './form.ts';
import { answerNode } from './result.ts';
import { stepPart } from './step-part.ts';
import { TaskPart } from './task-part.ts';
import { textOf } from './text-of.ts';
import type { Answer, Item, Json, Opened, PageEvent, ShownTask } from './types.ts';
import { openView } from './views/open-view.ts';
import type { ViewPart } from './views/view-part.ts';

type Progress = Extract<PageEvent, { readonly event: 'progress' }>;

/** What the page shows about one item: it can be called again and again. */
export interface Detail {
  progress?(progress: Progress): void;
  updated?(uri: string): void;
  task?(task: ShownTask): void;
  /** Ends what it has begun. */
  close?(): Promise<void>;
}

let calls = 0;

export function toolDetail(
  server: string,
  tool: Opened['tools'][number],
  { version, mayBeTask }: { readonly version: string; readonly mayBeTask: boolean },
): Detail {
  const form = formFor(tool.inputSchema);
  const hints = Object.entries(tool.annotations ?? {}).filter(([, value]) => value === true);
  return show(server, 'Tool', tool, {
    marks: hints.map(([name]) =>
      name.replace(/Hint$/, '').replaceAll(/[A-Z]/g, (each) => ` ${each.toLowerCase()}`),
    ),
    fields: [form],
    act: 'Call',
    callOf: () => ({ tool: tool.name, arguments: form.read() }),
    ...(mayBeTask && { task: isTaskAlways(tool) ? 'always' : 'sometimes' }),
    viewOf: ({ arguments: args }, place) => openView({ server, tool, version }, args as Json, place),
  });
}

/** Whether each call of a tool must be a task, at 2025-11-25. */
function isTaskAlways({ execution }: Item): boolean {
  return isObject(execution) && execution['taskSupport'] === 'required';
}

/** A task of a server. */
export function taskDetail(task: ShownTask): Detail {
  const part = new TaskPart(task);
  byId('detail').replaceChildren(
    element('p', { class: 'kind-of' }, 'Task'),
    element('h2', {}, cut(task.tool ?? task.taskId, 'name')),
    part.node,
  );
  return { task: (changed) => part.update(changed) };
}

export function resourceDetail(server: string, resource: Opened['resources'][number]): Detail {
  return show(server, 'Resource', resource, {
    marks: [resource.uri, resource.mimeType ?? ''],
    fields: [],
    act: 'Read',
    callOf: () => ({ resource: resource.uri }),
    watched: resource.uri,
  });
}

export function templateDetail(server: string, template: Opened['templates'][number]): Detail {
  const { uriTemplate } = template;
  const names = [...uriTemplate.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  const fields = names.map((name) =>
    completed(server, uriTemplate, { name: name.replace(/[*:].*$/, '') }, () => ({})),
  );
  const uri = () =>
    uriTemplate.replaceAll(/\{([+#./;?&]?)([^}]*)\}/g, (_, operator: string, list: string) => {
      const values = list
        .split(',')
        .map((name) => [name, textOf(fields[names.indexOf(name)]?.read())] as const);
      const encode = operator === '+' || operator === '#' ? encodeURI : encodeURIComponent;
      const given = values.filter(([, value]) => value !== '');
      if (operator === '?' || operator === '&')
        return given
          .map(
            ([name, value], index) => `${index === 0 ? operator : '&'}${name}=${encodeURIComponent(value)}`,
          )
          .join('');
      return given.map(([, value]) => encode(value)).join(',');
    });
  return show(server, 'Resource template', template, {
    marks: [uriTemplate],
    fields,
    act: 'Read',
    callOf: () => ({ resource: uri() }),
  });
}

export function promptDetail(server: string, prompt: Opened['prompts'][number]): Detail {
  const list = prompt.arguments ?? [];
  const values = () =>
    Object.fromEntries(
      list.flatMap(({ name }, index) => {
        const value = fields[index]?.read();
        return typeof value === 'string' && value !== '' ? [[name, value]] : [];
      }),
    );
  const fields: readonly Field[] = list.map((each) => completed(server, prompt.name, each, values));
  return show(server, 'Prompt', prompt, {
    marks: [],
    fields,
    act: 'Get',
    callOf: () => ({ prompt: prompt.name, arguments: values() }),
  });
}

interface Shown {
  readonly marks: readonly string[];
  readonly fields: readonly Field[];
  readonly act: string;
  readonly callOf: () => Json;
  /** The URI of the resource, whose changes can be followed. */
  readonly watched?: string;
  /** Shows the view of a call in a part of the page. */
  /** Whether a call may be a task, at the choice of the user, or always is one. */
  readonly task?: 'sometimes' | 'always';
  readonly viewOf?: (call: Json, place: HTMLElement) => Promise<ViewPart | undefined>;
}

function show(
  server: string,
  kind: string,
  item: Item,
  { marks, fields, act, callOf, watched, task, viewOf }: Shown,
): Detail {
  const answer = element(
    'div',
    { class: 'answers', 'aria-live': 'polite' },
    element('p', { class: 'quiet' }, 'The answer comes here.'),
  );
  const bar = element('progress', { 'aria-label': 'Progress', hidden: true });
  const said = element('span', { class: 'quiet' });
  const place = element('div', { class: 'place' });
  let view: Promise<ViewPart | undefined> | undefined;
  const close = async () => (await view)?.close();
  let id = '';
  const cancel = button('Cancel', () => send({ do: 'cancel', id }), { hidden: true });
  let part: TaskPart | undefined;
  const asTask = element('input', { type: 'checkbox', checked: task === 'always' });
  /** Calls as a task, which continues while the page does something else. */
  const startTask = async (call: Json) => {
    const shown = view;
    const started = await send<ShownTask | { readonly answer: Answer }>({ do: 'start-task', server, call });
    const tell = async (result: Answer | undefined) => {
      if (result) (await shown)?.result(result);
      else (await shown)?.cancelled('The task has ended without a result');
    };
    if (!('taskId' in started)) {
      answer.replaceChildren(answerNode(started.answer));
      return tell(started.answer);
    }
    part = new TaskPart(started);
    answer.replaceChildren(part.node);
    void part.ended.then(tell);
  };
  const run = async () => {
    try {
      const call = callOf();
      id = `call-${++calls}`;
      [start.disabled, cancel.hidden, bar.hidden, said.textContent] = [true, false, false, ''];
      bar.removeAttribute('value');
      await close();
      place.replaceChildren();
      view = viewOf?.(call, place);
      if (asTask.checked) return await startTask(call);
      const result = await send<Answer>({ do: 'call', server, id, call });
      answer.replaceChildren(answerNode(result), stepPart(id));
      (await view)?.result(result);
    } catch (error) {
      answer.replaceChildren(trouble(error));
      (await view)?.cancelled(messageOf(error));
    } finally {
      [start.disabled, cancel.hidden, bar.hidden] = [false, true, true];
    }
  };
  const start = element('button', { type: 'submit', class: 'primary' }, act);
  const follow = watched !== undefined && followBox(server, watched, answer);
  const taskBox = task !== undefined && element('label', { class: 'check' }, asTask, ' As a task');
  const form = element(
    'form',
    {
      on: {
        submit: (event) => {
          event.preventDefault();
          void run();
        },
      },
    },
    ...fields.map(({ node }) => node),
    element('div', { class: 'actions' }, start, cancel, follow, taskBox, bar, said),
  );
  byId('detail').replaceChildren(
    element('p', { class: 'kind-of' }, kind),
    element('h2', {}, cut(item.title ?? item.name, 'name')),
    item.title !== undefined && item.title !== item.name ? element('code', {}, cut(item.name, 'name')) : '',
    element(
      'p',
      { class: 'marks' },
      ...marks.filter(Boolean).map((each) => element('span', {}, cut(each, 'name'))),
    ),
    element('p', { dir: 'auto', class: 'description' }, cut(item.description ?? '', 'description')),
    element('div', { class: 'work' }, form, place, answer),
  );
  return {
    close,
    progress({ call, done, total, message }) {
      if (call !== id) return;
      if (total !== undefined) [bar.max, bar.value] = [total, done];
      const text = [total === undefined ? String(done) : `${done} of ${total}`, message];
      said.textContent = cut(text.filter(Boolean).join(': '), 'name');
    },
    updated(uri) {
      if (uri === watched && !start.disabled) void run();
    },
    task: (changed) => part?.update(changed),
  };
}

function followBox(server: string, uri: string, answer: HTMLElement): HTMLElement {
  const box = element('input', { type: 'checkbox' });
  box.addEventListener('change', () => {
    send({ do: box.checked ? 'watch' : 'unwatch', server, uri }).catch((error: unknown) => {
      box.checked = false;
      answer.replaceChildren(trouble(error));
    });
  });
  return element('label', { class: 'check' }, box, ' Read again when it changes');
}
