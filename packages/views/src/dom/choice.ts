import { element, region } from './element.ts';

/** One of the options of a choice. */
export interface Option {
  readonly value: string;
  readonly text: string;
  /** What is shown behind the text. */
  readonly more?: string;
}

/** The options, of which `chosen` is the value of one. `name` is that of the radio buttons in the page. */
export interface Choice {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly Option[];
  readonly chosen: string;
}

/** One of several options, as radio buttons: the arrow keys move between them. */
export function choiceIn(part: HTMLElement, chosen: (value: string) => void): (choice: Choice) => void {
  part.addEventListener('change', ({ target }) => chosen((target as HTMLInputElement).value));
  const draw = region(part, ({ name, legend, options }: Omit<Choice, 'chosen'>) =>
    options.length < 2
      ? []
      : [
          element(
            'fieldset',
            {},
            element('legend', { class: 'spoken' }, legend),
            ...options.map(({ value, text, more }) =>
              element(
                'label',
                {},
                element('input', { type: 'radio', name, value }),
                element('span', {}, element('bdi', {}, text), more && element('b', {}, more)),
              ),
            ),
          ),
        ],
  );
  return ({ chosen: value, ...choice }) => {
    draw(choice);
    for (const input of part.querySelectorAll('input')) input.checked = input.value === value;
  };
}
