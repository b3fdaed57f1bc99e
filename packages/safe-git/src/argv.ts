type Value = string | number | false | undefined | readonly string[];

const placeholder = /\0(\d+)\0/g;

/**
 * Returns the arguments of a command line, such as argv`log --since=${since} -- ${paths}`. A value is one
 * argument, even with spaces; `undefined` and `false` give none, and a list gives one for each item.
 */
export function argv({ raw: [first = '', ...rest] }: TemplateStringsArray, ...values: readonly Value[]) {
  const line = rest.reduce((text, part, index) => `${text}\0${index}\0${part}`, first).trim();
  return line.split(/\s+/).flatMap((word): readonly string[] => {
    const used = [...word.matchAll(placeholder)].map(([, index]) => values[Number(index)]);
    if (used.some((value) => value === undefined || value === false)) return [];
    if (typeof used[0] === 'object') return used[0];
    return [word.replaceAll(placeholder, (_, index: string) => String(values[Number(index)]))];
  });
}
