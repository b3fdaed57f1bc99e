import { messageOf } from '@mcp/kit';
import { send } from './api.ts';
import { button, byId, cut, element, trouble } from './dom.ts';
import { type Field, formFor } from './form.ts';
import { answerNode } from './result.ts';
import { textOf } from './text-of.ts';
import type { Answer, Item, Json, Opened, PageEvent } from './types.ts';
import { openView } from './views/open-view.ts';
import type { ViewPart } from './views/view-part.ts';

type Progress = Extract<PageEvent, { readonly event: 'progress' }>;

/** What the page shows about one item: it can be called again and again. */
export interface Detail {
  progress?(progress: Progress): void;
  updated?(uri: string): void;
  /** Ends what it has begun. */
  close?(): Promise<void>;
}

let calls = 0;

export function toolDetail(server: string, tool: Opened['tools'][number], version: string): Detail {
  const form = formFor(tool.inputSchema);
  const hints = Object.entries(tool.annotations ?? {}).filter(([, value]) => value === true);
  return show(server, 'Tool', tool, {
    marks: hints.map(([name]) =>
      name.replace(/Hint$/, '').replaceAll(/[A-Z]/g, (each) => ` ${each.toLowerCase()}`),
    ),
    fields: [form],
    act: 'Call',
    callOf: () => ({ tool: tool.name, arguments: form.read() }),
    viewOf: ({ arguments: args }, place) => openView({ server, tool, version }, args as Json, place),
  });
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
  readonly viewOf?: (call: Json, place: HTMLElement) => Promise<ViewPart | undefined>;
}

function show(
  server: string,
  kind: string,
  item: Item,
  { marks, fields, act, callOf, watched, viewOf }: Shown,
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
  const run = async () => {
    try {
      const call = callOf();
      id = `call-${++calls}`;
      [start.disabled, cancel.hidden, bar.hidden, said.textContent] = [true, false, false, ''];
      bar.removeAttribute('value');
      await close();
      place.replaceChildren();
      view = viewOf?.(call, place);
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
    element('div', { class: 'actions' }, start, cancel, follow, bar, said),
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
  };
}

/** The call with its answer as a step for `mcp test`, which is made when it is opened. */
function stepPart(id: string): HTMLElement {
  const text = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'The call for mcp test' });
  const copy = button('Copy', () => navigator.clipboard.writeText(text.textContent), {
    class: 'quiet-button',
  });
  const part = element('details', {}, element('summary', {}, 'As a call for mcp test'), text, copy);
  const fill = async () => {
    const made = send<string>({ do: 'step', id });
    text.textContent ||= await made.catch((error: unknown) => (error instanceof Error ? error.message : ''));
  };
  part.addEventListener('toggle', () => void fill());
  return part;
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

/** A field whose values the server suggests while one types. */
function completed(
  server: string,
  of: string,
  argument: { readonly name: string; readonly description?: string; readonly required?: boolean },
  known: () => Json,
): Field {
  const id = `completed-${++calls}`;
  const list = element('datalist', { id: `${id}-list` });
  const input = element('input', {
    id,
    list: `${id}-list`,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const suggest = async () => {
    const { [argument.name]: _, ...others } = known();
    const call = { complete: of, argument: argument.name, typed: input.value, arguments: others };
    const { result } = await send<Answer>({ do: 'call', server, id, call });
    const { values = [] } = (result?.['completion'] ?? {}) as { readonly values?: readonly string[] };
    list.replaceChildren(...values.map((value) => element('option', { value })));
  };
  // A server that suggests nothing is used without suggestions.
  const ask = () => void suggest().catch(() => undefined);
  input.addEventListener('focus', ask);
  input.addEventListener('input', ask);
  const required = argument.required === true && element('span', { class: 'required' }, ' required');
  const node = element(
    'div',
    { class: 'field' },
    element('label', { for: id }, element('b', {}, argument.name), required),
    element('p', { class: 'quiet' }, argument.description ?? ''),
    input,
    list,
  );
  return { node, read: () => input.value };
}
