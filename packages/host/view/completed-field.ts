import { send } from './api.ts';
import { element } from './dom.ts';
import type { Field } from './form.ts';
import type { Answer, Json } from './types.ts';

let fields = 0;

/** A field whose values the server suggests while one types. */
export function completed(
  server: string,
  of: string,
  argument: { readonly name: string; readonly description?: string; readonly required?: boolean },
  known: () => Json,
): Field {
  const id = `completed-${++fields}`;
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
