import type { Language } from './language.ts';

export const rust: Language = {
  grammar: 'tree-sitter-rust.wasm',
  query: `
(impl_item trait: (_) @implements type: (_) @name) @impl
(impl_item type: (_) @name) @impl
(trait_item name: (_) @name) @trait
(struct_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(union_item name: (_) @name) @union
(mod_item name: (_) @name) @module
(type_item name: (_) @name) @type
(macro_definition name: (_) @name) @macro
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(source_file (const_item name: (_) @name) @constant)
(source_file (static_item name: (_) @name) @variable)
`,
};
