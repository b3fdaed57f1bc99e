import type { Format, VariableSyntax } from '../formats/formats.ts';
import { syntaxes } from '../entry/expand-variables.ts';
import { inputVariable } from '../entry/inputs.ts';

/** A value in the syntax of another format, and what this syntax cannot express, in sentences. */
export interface Converted {
  readonly text: string;
  readonly lost: readonly string[];
}

/** Writes the variables of a value in the syntax of another format. */
export function convertVariables(value: string, from: Format, to: Format): Converted {
  const source = from.variables === 'none' ? [] : [...value.matchAll(syntaxes[from.variables])];
  const isSame = from.variables === to.variables;
  const lost: string[] = [];
  let text = '';
  let at = 0;
  const literal = (part: string) => {
    // The part is not shown, because it may be one of a secret.
    if (!isSame && to.variables !== 'none' && part.match(syntaxes[to.variables]))
      lost.push(`${to.title} reads a part of this value as a variable`);
    return part;
  };
  for (const found of source) {
    text += literal(value.slice(at, found.index));
    const groups = found.groups ?? {};
    const isKept = isSame && (to.hasInputs || groups['kind'] !== 'input');
    const { text: written, lost: reason } = isKept
      ? kept(found[0], groups)
      : convertOne(found[0], groups, to);
    text += written;
    if (reason !== undefined) lost.push(reason);
    at = found.index + found[0].length;
  }
  return { text: text + literal(value.slice(at)), lost };
}

/** How a variable of the environment is written; undefined if the format has no variables. */
export function variableText(name: string, syntax: VariableSyntax): string | undefined {
  switch (syntax) {
    case 'vscode':
      return `\${env:${name}}`;
    case 'opencode':
      return `{env:${name}}`;
    case 'none':
      return undefined;
    default:
      return `\${${name}}`;
  }
}

/** The name of the variable of the environment that a whole value is, without a default; else undefined. */
export function onlyVariable(value: string, { variables }: Format): string | undefined {
  if (variables === 'none') return undefined;
  const [found, ...others] = value.matchAll(syntaxes[variables]);
  if (found?.[0] !== value || others.length > 0) return undefined;
  const { kind = 'env', fallback, name, braced, bare, percent } = (found.groups ?? {}) as Groups;
  return kind === 'env' && fallback === undefined ? (name ?? braced ?? bare ?? percent) : undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

function convertOne(
  written: string,
  groups: Groups,
  to: Format,
): { readonly text: string; readonly lost?: string } {
  const name = groups['name'] ?? groups['braced'] ?? groups['bare'] ?? groups['percent'];
  // A default value may be a secret.
  const shown = written.replace(/(?<=:-)[^}]+/, '…');
  if (groups['builtIn'] !== undefined || name === undefined || groups['kind'] === 'file')
    return { text: written, lost: `${to.title} does not know ${shown}: replace it` };
  if (to.variables !== 'none' && [...written.matchAll(syntaxes[to.variables])][0]?.groups?.['builtIn'])
    return { text: written, lost: `${to.title} replaces ${written} by its own value` };
  const isInput = groups['kind'] === 'input';
  const variable = isInput ? inputVariable(name) : name;
  const { fallback } = groups;
  const plain = variableText(variable, to.variables);
  if (plain === undefined)
    return { text: written, lost: `${to.title} has no variables, and takes ${shown} literally` };
  if (isInput) return { text: plain, lost: `${written} is now ${plain}: set this variable` };
  if (fallback === undefined) return { text: plain };
  const keepsFallback = to.variables === 'shell' || to.variables === 'mcporter';
  return keepsFallback
    ? { text: `\${${variable}:-${fallback}}` }
    : { text: plain, lost: `${shown} has no default value in ${to.title}` };
}

/** A variable that stays as it is; another file does not declare the inputs of this one. */
function kept(text: string, { kind }: Groups): { readonly text: string; readonly lost?: string } {
  if (kind !== 'input') return { text };
  return { text, lost: `${text} must be declared in "inputs" of the file, which stays as it is` };
}
