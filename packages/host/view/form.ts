import { button, cut, element } from './dom.ts';
import { type Budget, choicesOf, exampleOf, isObject, resolved, typeText } from './schema.ts';
import { textOf } from './text-of.ts';
import type { Json } from './types.ts';

/** A part of a form; `read` returns undefined for a value that is left out, and throws for a wrong one. */
export interface Field {
  readonly node: HTMLElement;
  read(): unknown;
}

interface Place {
  readonly name: string;
  readonly isRequired: boolean;
  /** The schema of the form, to which references point. */
  readonly root: Json;
  readonly depth: number;
  /** How many fields more the form may have. */
  readonly budget: Budget;
}

/** Deeper schemas, which may be recursive, are filled in as JSON. */
const maxDepth = 6;
/** Maximum number of fields of a form, and of choices of a field: the others are filled in as JSON. */
const [maxFields, maxChoices] = [1_000, 1_000];

let ids = 0;

/** A form for the values of a JSON Schema, with JSON for what has no field. */
export function formFor(schema: Json): Field {
  const fields = fieldsOf(schema, { root: schema, depth: 0, budget: { left: maxFields } });
  const area = element('textarea', { rows: 8, spellcheck: 'false', 'aria-label': 'All values as JSON' });
  const form = element('div', { class: 'fields' }, ...fields.nodes);
  if (fields.nodes.length === 0) form.append(element('p', { class: 'quiet' }, 'It takes no values.'));
  const json = element('div', { class: 'json', hidden: true }, area);
  let isJson = false;
  const toggle = button(
    'As JSON',
    () => {
      if (!isJson) area.value = JSON.stringify(valueOr(fields.read, {}), null, 2);
      isJson = !isJson;
      toggle.setAttribute('aria-pressed', String(isJson));
      json.hidden = !isJson;
      form.hidden = isJson;
    },
    { class: 'quiet-button', 'aria-pressed': 'false' },
  );
  const node = element('div', { class: 'form' }, form, json, toggle);
  return { node, read: () => (isJson ? parsed(area.value, 'JSON') : fields.read()) };
}

function valueOr(read: () => unknown, other: unknown): unknown {
  try {
    return read();
  } catch {
    return other;
  }
}

/** The fields of an object. */
function fieldsOf(schema: Json, around: Pick<Place, 'root' | 'depth' | 'budget'>) {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const members = Object.entries(properties);
  const shown = members.slice(0, Math.max(0, around.budget.left));
  const fields = shown.map(([name, each]) => {
    const place = { ...around, name, isRequired: required.has(name) };
    return [name, fieldFor(isObject(each) ? each : {}, place)] as const;
  });
  const extra = schema['additionalProperties'];
  const rest =
    isObject(extra) || extra === true || shown.length < members.length
      ? jsonField({ name: 'Further values', isRequired: false }, {})
      : undefined;
  return {
    nodes: [...fields.map(([, { node }]) => node), ...(rest ? [rest.node] : [])],
    read: () => {
      const values = fields.map(([name, field]) => [name, field.read()] as const);
      const further = rest?.read();
      return {
        ...(isObject(further) ? further : {}),
        ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
      };
    },
  };
}

function fieldFor(given: Json, place: Place): Field {
  const schema = resolved(given, place.root);
  const { name, isRequired, depth, budget } = place;
  if (depth >= maxDepth || budget.left-- <= 0) return jsonField(place, schema);
  const choices = choicesOf(schema);
  if (choices && choices.length <= maxChoices) return choiceField(place, schema, choices);
  const alternatives = [schema['anyOf'], schema['oneOf']].find(Array.isArray) as Json[] | undefined;
  if (alternatives && alternatives.length <= budget.left)
    return alternativeField(place, schema, alternatives);
  const types = Array.isArray(schema['type']) ? (schema['type'] as string[]) : [schema['type'] as string];
  const type = types.find((each) => each !== 'null');
  if (type === 'boolean') return choiceField(place, schema, [true, false]);
  if (type === 'string' || type === 'number' || type === 'integer') return textField(place, schema, type);
  if (type === 'array') return listField(place, schema);
  if (type === 'object' && isObject(schema['properties'])) {
    const fields = fieldsOf(schema, { ...place, depth: depth + 1 });
    const node = element(
      'fieldset',
      {},
      element('legend', {}, cut(name, 'name'), mark(isRequired)),
      describe(schema),
      ...fields.nodes,
    );
    const isEmpty = (value: object) => Object.keys(value).length === 0;
    return {
      node,
      read: () => {
        const value = fields.read();
        return isEmpty(value) && !isRequired ? undefined : value;
      },
    };
  }
  return jsonField(place, schema);
}

function textField({ name, isRequired }: Place, schema: Json, type: string): Field {
  const id = `field-${++ids}`;
  const isNumber = type !== 'string';
  const isLong =
    !isNumber && (Number(schema['maxLength'] ?? 0) > 200 || /content|text|sql|body|message/i.test(name));
  const initial = textOf(schema['default']);
  const common = {
    id,
    spellcheck: 'false',
    'aria-required': String(isRequired),
    placeholder: exampleOf(schema),
  };
  const input = isLong
    ? element('textarea', { ...common, rows: 3 })
    : element('input', { ...common, type: 'text', ...(isNumber && { inputmode: 'decimal' }) });
  input.value = initial;
  const node = labelled(id, name, isRequired, typeText(schema), schema, input);
  return {
    node,
    read() {
      if (input.value === '') return isRequired && !isNumber ? '' : undefined;
      if (!isNumber) return input.value;
      const number = Number(input.value);
      if (Number.isInteger(number) && !Number.isSafeInteger(number))
        throw new Error(`${name}: "${input.value}" has more digits than the page keeps`);
      if (Number.isFinite(number) && (type === 'number' || Number.isInteger(number))) return number;
      throw new Error(`${name}: "${input.value}" is no ${type}`);
    },
  };
}

function choiceField({ name, isRequired }: Place, schema: Json, values: readonly unknown[]): Field {
  const id = `field-${++ids}`;
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const select = element(
    'select',
    { id },
    ...(isRequired && schema['default'] === undefined
      ? []
      : [element('option', { value: '' }, '(left out)')]),
    ...texts.map((text, index) => element('option', { value: index }, cut(text, 'name'))),
  );
  const initial = values.findIndex((value) => value === schema['default']);
  if (initial >= 0) select.value = String(initial);
  const node = labelled(id, name, isRequired, typeText(schema), schema, select);
  return { node, read: () => (select.value === '' ? undefined : values[Number(select.value)]) };
}

/** One of several schemas: a choice, and the field of the chosen one. */
function alternativeField(place: Place, schema: Json, alternatives: readonly Json[]): Field {
  const all = alternatives
    .map((each) => resolved(isObject(each) ? each : {}, place.root))
    .filter((each) => each['type'] !== 'null');
  if (all.length === 1) return fieldFor({ ...schema, anyOf: undefined, oneOf: undefined, ...all[0] }, place);
  const { description } = schema;
  const fields = all.map((each) => fieldFor({ description, ...each }, { ...place, depth: place.depth + 1 }));
  const select = element(
    'select',
    { 'aria-label': `Kind of ${place.name}` },
    ...all.map((each, index) => element('option', { value: index }, typeText(each))),
  );
  const slot = element('div', { class: 'slot' });
  const show = () => slot.replaceChildren(fields[Number(select.value)]?.node ?? '');
  select.addEventListener('change', show);
  show();
  const node = element('div', { class: 'alternatives' }, select, slot);
  return { node, read: () => fields[Number(select.value)]?.read() };
}

function listField(place: Place, schema: Json): Field {
  const { name, isRequired, depth } = place;
  const items = isObject(schema['items']) ? schema['items'] : {};
  const fields = new Set<Field>();
  const list = element('div', { class: 'list' });
  const add = () => {
    const field = fieldFor(items, { ...place, name: `${name}[]`, isRequired: true, depth: depth + 1 });
    const remove = button(
      '×',
      () => {
        fields.delete(field);
        row.remove();
      },
      { 'aria-label': 'Remove the item', class: 'quiet-button' },
    );
    const row = element('div', { class: 'row' }, field.node, remove);
    fields.add(field);
    list.append(row);
  };
  if (isRequired) add();
  const node = element(
    'fieldset',
    {},
    element('legend', {}, cut(name, 'name'), mark(isRequired)),
    describe(schema),
    list,
    button('Add an item', add, { class: 'quiet-button' }),
  );
  return {
    node,
    read: () => (fields.size === 0 && !isRequired ? undefined : Array.from(fields, (field) => field.read())),
  };
}

function jsonField({ name, isRequired }: Pick<Place, 'name' | 'isRequired'>, schema: Json): Field {
  const id = `field-${++ids}`;
  const area = element('textarea', { id, rows: 2, spellcheck: 'false', placeholder: 'JSON' });
  if (schema['default'] !== undefined) area.value = JSON.stringify(schema['default']);
  const node = labelled(id, name, isRequired, 'JSON', schema, area);
  return { node, read: () => (area.value.trim() === '' ? undefined : parsed(area.value, name)) };
}

function labelled(
  id: string,
  name: string,
  isRequired: boolean,
  type: string,
  schema: Json,
  input: HTMLElement,
): HTMLElement {
  const label = element(
    'label',
    { for: id },
    element('b', {}, cut(name, 'name')),
    mark(isRequired),
    element('small', {}, cut(type, 'name')),
  );
  return element('div', { class: 'field' }, label, describe(schema), input);
}

function mark(isRequired: boolean): HTMLElement | false {
  return isRequired && element('span', { class: 'required', title: 'required' }, ' required');
}

function describe({ description }: Json): HTMLElement | false {
  return (
    typeof description === 'string' &&
    description !== '' &&
    element('p', { class: 'quiet' }, cut(description, 'description'))
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
