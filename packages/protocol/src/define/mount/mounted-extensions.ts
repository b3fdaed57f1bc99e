import type { ServedExtension } from '../extension.ts';
import { refuseTwice } from './listed.ts';

/**
 * Whether an extension is mounted with its server: one that has resources and no methods, such as that for
 * views. Methods are answered by the outer server.
 */
export function isMountable({ extension, resources }: ServedExtension<never>): boolean {
  return resources.length > 0 && Object.keys(extension.methods).length === 0;
}

/**
 * The extensions of a server, with those of its mounts: of one that both have, the resources of both. A
 * resource of the server itself is read in place of a mounted one. Throws an `Error` if two mounts have
 * resources with one URI.
 */
export function withMounted(
  own: readonly ServedExtension<object>[],
  mounted: readonly ServedExtension<object>[],
): readonly ServedExtension<object>[] {
  const byId = new Map(own.map((served) => [served.extension.id, served]));
  const taken = new Set(own.flatMap(({ resources }) => resources.map(({ uri }) => uri)));
  const added = mounted.map((served) => ({
    ...served,
    resources: served.resources.filter(({ uri }) => !taken.has(uri)),
  }));
  refuseTwice(
    'resource',
    added.flatMap(({ resources }) => resources.map(({ uri }) => uri)),
  );
  for (const served of added) {
    const { id } = served.extension;
    const known = byId.get(id);
    byId.set(id, known ? { ...known, resources: [...known.resources, ...served.resources] } : served);
  }
  return [...byId.values()];
}
