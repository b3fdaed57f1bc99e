import type { Language } from './language.ts';

/**
 * The patterns for a function's name. `functions` also has those of functions that return a pointer, or a
 * pointer to a pointer.
 */
const declarator = '(function_declarator declarator: (identifier) @name)';
const functions = [
  declarator,
  `(pointer_declarator declarator: ${declarator})`,
  `(pointer_declarator declarator: (pointer_declarator declarator: ${declarator}))`,
];

export const c: Language = {
  grammar: 'tree-sitter-c.wasm',
  query: `
${functions.map((each) => `(function_definition declarator: ${each}) @function`).join('\n')}
${functions.map((each) => `(declaration declarator: ${each}) @function`).join('\n')}
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @union
(enum_specifier name: (_) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (_) @name) @macro
(preproc_function_def name: (_) @name) @macro
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
(translation_unit (declaration declarator: (identifier) @name) @variable)
`,
};
