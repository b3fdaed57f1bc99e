import * as z from 'zod';

// The schemas of structured content, which answers have with `--structured`. It has the same entries as the
// text of an answer, with paths that every tool accepts.

const kind = z.string().describe('file, directory, symlink, fifo, socket or device');
const count = z.int().min(0);
const sha256 = z.string().optional();
const time = z.string().describe('ISO 8601, UTC');
const skip = count.optional().describe('Argument skip of the next page');
const cursor = z.string().optional().describe('Argument cursor of the next page');
const unreadable = z.array(z.strictObject({ path: z.string(), reason: z.string() }));

export const listingSchema = z.strictObject({
  entries: z.array(z.strictObject({ name: z.string(), kind })),
  total: count,
  next: cursor,
});

export const sizesSchema = z.strictObject({
  entries: z.array(
    z.strictObject({
      name: z.string(),
      kind,
      size: count.describe('Bytes; with recursive, of all files in a directory'),
      modified: time,
    }),
  ),
  total: count,
  files: count,
  directories: count,
  bytes: count.describe('Of all files'),
  filesInside: count.describe('With recursive: files in subdirectories'),
  unreadable: count.describe('Unreadable directories'),
  next: skip,
});

export const treeSchema = z.strictObject({
  entries: z.array(
    z.strictObject({
      path: z.string().describe('Relative to the directory'),
      kind,
      cut: z.enum(['depth', 'limit', 'ignored', 'unreadable']).optional().describe('Why content is left out'),
      more: count.optional().describe('Entries left out'),
    }),
  ),
  isComplete: z.boolean(),
  more: count.optional().describe('Entries left out at the top'),
});

export const foundSchema = z.strictObject({
  matches: z
    .array(z.strictObject({ path: z.string(), kind, size: count.optional(), modified: time.optional() }))
    .optional(),
  groups: z
    .array(
      z.strictObject({
        size: count,
        files: z.array(z.strictObject({ path: z.string(), hardLinks: z.array(z.string()) })),
      }),
    )
    .optional()
    .describe('With duplicates'),
  total: count.describe('Matches or groups on all pages'),
  redundantBytes: count.optional(),
  unreadable,
  next: skip,
});

export const linesSchema = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      count: count.optional().describe('Matching lines; missing with filesOnly'),
      lines: z
        .array(
          z.strictObject({
            number: count,
            text: z.string(),
            isMatch: z.boolean(),
            symbol: z.string().optional(),
          }),
        )
        .optional()
        .describe('Missing with countOnly and filesOnly'),
    }),
  ),
  matches: count.optional().describe('Matching lines on all pages; missing with filesOnly'),
  matchingFiles: count,
  searched: count.describe('Searched files'),
  binary: count.optional().describe('Files skipped as binary'),
  asRegex: count.optional().describe('Lines that match the text as a regex'),
  unreadable,
  next: cursor,
});

const facts = {
  path: z.string(),
  kind,
  size: count,
  created: time,
  modified: time,
  accessed: time,
  permissions: z.string(),
  links: count,
  sha256,
};

export const infoSchema = z.strictObject({
  files: z.array(z.strictObject(facts)).optional(),
  failures: z.array(z.strictObject({ path: z.string(), reason: z.string() })).optional(),
  total: count
    .optional()
    .describe('Paths of the call; those in neither files nor failures were not examined'),
  comparison: z
    .strictObject({
      isSame: z.boolean(),
      sizes: z.array(count).optional(),
      onlyInPath: z.array(z.string()).optional(),
      onlyInCompareWith: z.array(z.string()).optional(),
      different: z.array(z.string()).optional(),
      same: count.optional(),
      unreadable: unreadable.optional(),
      isCut: z.boolean().optional().describe('Whether paths are left out'),
      diff: z.string().optional(),
    })
    .optional(),
});

export const directoriesSchema = z.strictObject({ directories: z.array(z.string()) });

export const outlineSchema = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      symbols: z.array(
        z.strictObject({
          name: z.string(),
          kind: z.string(),
          startLine: count,
          endLine: count,
          depth: count,
        }),
      ),
      notes: z.array(z.string()),
    }),
  ),
  next: z
    .strictObject({ offset: count.optional(), skip: count.optional() })
    .optional()
    .describe('Arguments of the next page'),
});
