/** A query that the operator wrote. A caller gives only its parameters. */
export interface StoredQuery {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  /** One statement that reads, or several statements that run in one transaction. */
  readonly statements: readonly string[];
  readonly writes: boolean;
  /** The parameters, keyed by the names of their placeholders. */
  readonly parameters: { readonly [name: string]: QueryParameter };
  /** The name of the database. If undefined, the only one, or those that the SQL names. */
  readonly database?: string | undefined;
  /** The file and line of the query, such as `queries.json:4`, for messages. */
  readonly place: string;
}

export interface QueryParameter {
  readonly type: (typeof parameterTypes)[number];
  readonly description?: string | undefined;
  /** The values that the parameter may have. If undefined, all values of the type are possible. */
  readonly enum?: readonly (string | number)[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The value, possibly null, if the caller gives none. If undefined, the caller must give one. */
  readonly default?: ParameterValue | null | undefined;
}

export type ParameterValue = string | number | boolean;

export const parameterTypes = ['string', 'integer', 'number', 'boolean'] as const;

/** Returns why a value does not fit a parameter; undefined if it fits. */
export function faultOfValue(parameter: QueryParameter, value: unknown): string | undefined {
  const { type, enum: values, minimum = -Infinity, maximum = Infinity } = parameter;
  if (values && !values.some((each) => each === value))
    return `Expected one of ${values.map((each) => JSON.stringify(each)).join(', ')}`;
  if (type === 'string' || type === 'boolean')
    return typeof value === type ? undefined : `Expected a value of the type ${type}`;
  const isNumber = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!isNumber) return `Expected a value of the type ${type}`;
  const number = value as number;
  return number < minimum || number > maximum ? `Expected a value from ${minimum} to ${maximum}` : undefined;
}
