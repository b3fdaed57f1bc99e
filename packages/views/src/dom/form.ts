import { element } from './element.ts';

/** A field of a form. `options` are the values of a list, from which one is chosen. */
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
} & (
  | { readonly type: 'text'; readonly value?: string }
  | { readonly type: 'number'; readonly value?: number; readonly min?: number; readonly max?: number }
  | { readonly type: 'boolean'; readonly value?: boolean }
  | { readonly type: 'choice'; readonly value?: string; readonly options: readonly string[] }
);

/** The values by the names of their fields; a field that is left empty is missing. */
export type FormValues = { readonly [name: string]: string | number | boolean };

/**
 * Makes fields with a button, whose text is `submit`. A host may forbid forms to the frame of a view, so that
 * this is none: the button, or Enter in a field, gives the values. A field that is wrong says so, and gets
 * the focus.
 */
export function formNode(
  fields: readonly Field[],
  submit: string,
  submitted: (values: FormValues) => void,
): HTMLElement {
  const inputs = fields.map((field) => [field, inputOf(field)] as const);
  const send = () => {
    const wrong = inputs.find(([, input]) => !input.checkValidity());
    if (wrong) return void wrong[1].reportValidity();
    const values: { [name: string]: string | number | boolean } = {};
    for (const [{ name, type }, input] of inputs) {
      if (type === 'boolean') values[name] = (input as HTMLInputElement).checked;
      else if (input.value !== '') values[name] = type === 'number' ? Number(input.value) : input.value;
    }
    submitted(values);
  };
  const button = element('button', { type: 'button', class: 'strong' }, submit);
  button.addEventListener('click', send);
  const node = element(
    'div',
    { class: 'form', role: 'group', 'aria-label': submit },
    ...inputs.map(([{ label, type }, input]) =>
      element('label', { class: type }, element('span', { class: 'quiet' }, label), input),
    ),
    button,
  );
  node.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Enter' && target instanceof HTMLInputElement && target.type !== 'checkbox') send();
  });
  return node;
}

function inputOf(field: Field): HTMLInputElement | HTMLSelectElement {
  const { type, required } = field;
  if (type === 'choice') {
    const { options, value } = field;
    const all = required ? options : ['', ...options];
    return element(
      'select',
      { required },
      ...all.map((each) => element('option', { selected: each === value }, each)),
    );
  }
  if (type === 'boolean') return element('input', { type: 'checkbox', checked: field.value });
  const range = type === 'number' ? { min: field.min, max: field.max, step: 'any' } : { autocomplete: 'off' };
  return element('input', { type, required, value: field.value, ...range });
}
