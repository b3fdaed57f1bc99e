type Value = unknown;
type Run = (
  keys: readonly Value[],
  args: readonly Value[],
  call: (...command: (string | number)[]) => Value,
) => Value;

const compiled = new Map<string, Run>();

/** The few words of Lua that the scripts of `@mcp/redis` use, one statement on a line, as JavaScript. */
const words: readonly (readonly [RegExp, string])[] = [
  [/#ARGV/g, '(ARGV.length - 1)'],
  [/==/g, '==='],
  [/~=/g, '!=='],
  [/ \.\. /g, ' + '],
  [/\band\b/g, '&&'],
  [/\bor\b/g, '||'],
  [/\bnot /g, '!'],
  [/\bnil\b/g, 'undefined'],
  [/string\.sub\(/g, 'sub('],
  [/\btonumber\(/g, 'Number('],
  [/redis\.call\(/g, 'call('],
  [/^local (.*?) = (.*)$/gm, 'let [$1] = [$2]'],
  [/^elseif (.*) then$/gm, '} else if ($1) {'],
  [/^if (.*) then (.*) end$/gm, 'if ($1) { $2 }'],
  [/^if (.*) then$/gm, 'if ($1) {'],
  [/^for (\w+) = (.*), (.*) do$/gm, 'for (let $1 = $2; $1 <= $3; $1++) {'],
  [/^else$/gm, '} else {'],
  [/^end$/gm, '}'],
];

/** Runs the text of a script. Throws a `SyntaxError` for Lua that is not known here. */
export function runScript(
  text: string,
  keys: readonly string[],
  args: readonly string[],
  call: (...command: (string | number)[]) => Value,
): Value {
  let run = compiled.get(text);
  if (!run) {
    const lines = text.split('\n').map((line) => line.trim());
    const body = words.reduce((code, [word, its]) => code.replaceAll(word, its), lines.join('\n'));
    const sub = 'const sub = (text, from) => text.slice(from - 1);';
    // oxlint-disable-next-line no-new-func, no-implied-eval
    run = new Function('KEYS', 'ARGV', 'call', `'use strict'; ${sub}\n${body}`) as Run;
    compiled.set(text, run);
  }
  // Lists of Lua begin with 1.
  return run(fromOne(keys), fromOne(args), (...command) => inLua(call(...command)));
}

function inLua(value: Value): Value {
  return Array.isArray(value) ? fromOne(value.map(inLua)) : (value ?? false);
}

function fromOne(values: readonly Value[]): readonly Value[] {
  return [undefined, ...values];
}
