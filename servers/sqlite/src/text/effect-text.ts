export interface Effect {
  readonly changes: number;
  /** With the rows that triggers and foreign keys changed. */
  readonly totalChanges: number;
  readonly schemaChanges?: readonly string[] | undefined;
}

/** What a statement changed or, in a dry run, would change. The view of this server uses it too. */
export function effectText({ changes, totalChanges, schemaChanges = [] }: Effect, dryRun: boolean): string {
  return [
    `${dryRun ? 'Would change' : 'Changed'} ${changes === 1 ? '1 row' : `${changes} rows`}`,
    ...(totalChanges > changes ? [`${totalChanges} including triggers and foreign keys`] : []),
    ...schemaChanges.map((change) => (dryRun ? change : past(change))),
  ].join(', ');
}

const pastOf: { readonly [verb: string]: string } = { create: 'created', alter: 'altered', drop: 'dropped' };

/** Returns a change in the past tense, such as `created table log`. */
function past(change: string): string {
  const [verb = '', ...rest] = change.split(' ');
  return [pastOf[verb] ?? verb, ...rest].join(' ');
}
