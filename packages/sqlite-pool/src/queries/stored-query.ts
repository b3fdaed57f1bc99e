/** A query that the operator wrote, with the parameters that a caller gives. */
export interface StoredQuery {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  /** One statement that reads, or the statements of one transaction. */
  readonly statements: readonly string[];
  readonly writes: boolean;
  /** By the names of the placeholders. */
  readonly parameters: { readonly [name: string]: QueryParameter };
  /** The name of the database; undefined for the only one, or those that the SQL names. */
  readonly database?: string | undefined;
  /** The file and the line of the query, such as `queries.json:4`. */
  readonly place: string;
}

export interface QueryParameter {
  readonly type: (typeof parameterTypes)[number];
  readonly description?: string | undefined;
  /** The only values. */
  readonly enum?: readonly (string | number)[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The value where the caller gives none, possibly null; undefined if the caller must give one. */
  readonly default?: ParameterValue | null | undefined;
}

export type ParameterValue = string | number | boolean;

export const parameterTypes = ['string', 'integer', 'number', 'boolean'] as const;

/** Why a value does not fit a parameter; undefined if it does. */
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
