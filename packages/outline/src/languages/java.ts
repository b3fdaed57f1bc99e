import type { Language } from './language.ts';

export const java: Language = {
  grammar: 'tree-sitter-java.wasm',
  query: `
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(record_declaration name: (_) @name) @record
(annotation_type_declaration name: (_) @name) @annotation
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @constructor
(compact_constructor_declaration name: (_) @name) @constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
`,
};
