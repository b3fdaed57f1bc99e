import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Writes `dist/*.cjs` and `*.d.cts` for each entry that is a module of the package in the current directory.
// Node lets CommonJS require ES modules; TypeScript with `"module": "node16"` and some tools do not,
// but accept a CommonJS module that requires one. The code and its types are those of the ES module:
// a program that imports and requires them has one copy.

interface Manifest {
  readonly exports: Readonly<
    Record<string, { readonly require?: { readonly types: string; readonly default: string } }>
  >;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** The type parameters of each generic class, such as `<T>`. */
const parameters = new Map(
  globSync('dist/**/*.d.ts').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^export declare (?:abstract )?class (\w+)(<\w+(?:, \w+)*>)/gm),
      ([, name = '', list = '']): [string, string] => [name, list],
    ),
  ),
);

for (const [entry, { require: required }] of Object.entries(manifest.exports)) {
  if (entry.endsWith('.css')) continue;
  if (!required) throw new Error(`The exports of "${entry}" in package.json have no "require"`);
  const name = required.types.slice('./dist/'.length, -'.d.cts'.length);
  const module = (await import(pathToFileURL(resolve(`dist/${name}.js`)).href)) as Record<string, unknown>;
  writeFileSync(required.default, `module.exports = require('./${name}.js');\n`);
  writeFileSync(required.types, declarations(name, module));
}

function declarations(name: string, module: Readonly<Record<string, unknown>>): string {
  const attribute = "{ 'resolution-mode': 'import' }";
  const whole = `import('./${name}.js', { with: ${attribute} })`;
  const values = Object.entries(module).map(([key, value]) => {
    const constant = `export declare const ${key}: typeof ${whole}.${key};\n`;
    if (typeof value !== 'function' || !/^class\b/.test(value.toString())) return constant;
    const list = parameters.get(key) ?? '';
    return `${constant}export type ${key}${list} = ${whole}.${key}${list};\n`;
  });
  return `export type * from './${name}.js' with ${attribute};\n${values.join('')}`;
}
