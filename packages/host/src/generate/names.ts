import { jsonText } from '../terminal/sanitize.ts';

/** `read_text-file` as `ReadTextFile`. Letters other than those of ASCII separate words. */
export function pascalCase(text: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}

/** `read_text-file` as `readTextFile`. */
export function camelCase(text: string): string {
  const name = pascalCase(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns a function that makes names unique by a number: `Item`, `Item2`. */
export function uniqueNames(reserved: Iterable<string> = []): (wanted: string) => string {
  const taken = new Set(reserved);
  return (wanted) => {
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`;
    taken.add(name);
    return name;
  };
}

/** A string as code, in single quotes. */
export function quotedText(text: string): string {
  const inner = jsonText(text)
    .slice(1, -1)
    .replaceAll(/\\.|'/gs, (found) => (found === '\\"' ? '"' : found === "'" ? "\\'" : found));
  return `'${inner}'`;
}

/** The key of a property in a type: quoted where it is no identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedText(name);
}

/** The key of a property in an object. `__proto__` is computed: the key itself would set the prototype. */
export function objectKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyKey(name);
}
