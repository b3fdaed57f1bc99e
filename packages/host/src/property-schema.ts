/** The part of a JSON Schema that words of a command line are read by. */
export interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly PropertySchema[];
  readonly oneOf?: readonly PropertySchema[];
  readonly allOf?: readonly PropertySchema[];
  readonly items?: PropertySchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export interface ToolSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** The schema of the items of a list; undefined if the schema has none. */
export function itemsOf(property: PropertySchema | undefined): PropertySchema | undefined {
  if (!property) return undefined;
  const { items, anyOf = [], oneOf = [], allOf = [] } = property;
  if (typeof items === 'object') return items;
  return [...anyOf, ...oneOf, ...allOf].map(itemsOf).find((each) => each !== undefined);
}

/** The types that a schema allows; none if it does not say. */
export function typesOf(property: PropertySchema | undefined): ReadonlySet<string> {
  if (!property) return new Set();
  const { type, anyOf = [], oneOf = [], allOf = [], const: constant } = property;
  const values = property.enum ?? (constant === undefined ? undefined : [constant]);
  const own = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  const others = [...anyOf, ...oneOf, ...allOf].flatMap((each) => [...typesOf(each)]);
  const ofValues =
    own.length === 0 && values ? values.map((value) => (value === null ? 'null' : typeof value)) : [];
  return new Set([...own, ...others, ...ofValues]);
}

/** The values that a schema allows by `enum` or `const`; undefined if it does not list them. */
export function valuesOf(property: PropertySchema | undefined): readonly unknown[] | undefined {
  if (!property) return undefined;
  const { anyOf, oneOf, allOf, const: constant } = property;
  if (property.enum ?? constant !== undefined) return property.enum ?? [constant];
  const lists = (anyOf ?? oneOf)?.map(valuesOf);
  if (lists?.every((each) => each !== undefined)) return lists.flat();
  return allOf?.map(valuesOf).find((each) => each !== undefined);
}
