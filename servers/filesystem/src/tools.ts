import { withoutStructuredContent } from '@mcp/protocol';
import type { OptionalPackages } from './optional/installed-packages.ts';
import { copyFile } from './tools/copy-file.ts';
import { createDirectory } from './tools/create-directory.ts';
import { deleteFile } from './tools/delete-file.ts';
import { directoryTree } from './tools/directory-tree.ts';
import { editFile } from './tools/edit-file.ts';
import { getFileInfo } from './tools/get-file-info.ts';
import { listAllowedDirectories } from './tools/list-allowed-directories.ts';
import { listDirectoryWithSizes } from './tools/list-directory-with-sizes.ts';
import { listDirectory } from './tools/list-directory.ts';
import { moveFile } from './tools/move-file.ts';
import { readMediaFile } from './tools/read-media-file.ts';
import { readLines } from './tools/read-lines.ts';
import { readMultipleFiles } from './tools/read-multiple-files.ts';
import { outline } from './tools/outline.ts';
import { readSizes } from './tools/read-sizes.ts';
import { readFile, readTextFile } from './tools/read-text-file.ts';
import { restoreFile } from './tools/restore-file.ts';
import { searchFiles } from './tools/search-files.ts';
import { searchText, searchTextWithSymbols } from './tools/search-text.ts';
import { writeFile } from './tools/write-file.ts';

/**
 * Tools that only read, with what the installed optional packages add. Tools whose result is a list or
 * numbers have output schemas and structured content only if `structured` is true.
 */
export function readingTools(
  { outline: outlines, documents }: OptionalPackages,
  { structured, numbered }: { readonly structured: boolean; readonly numbered: boolean },
) {
  const listing = [
    listDirectory,
    listDirectoryWithSizes,
    directoryTree,
    searchFiles,
    outlines ? searchTextWithSymbols : searchText,
    ...(outlines ? [outline] : []),
    getFileInfo,
    listAllowedDirectories,
  ];
  return [
    readTextFile({ documents: documents !== undefined, numbered }),
    readFile,
    readMultipleFiles,
    readMediaFile,
    ...(structured ? listing : listing.map(withoutStructuredContent)),
    readSizes,
    readLines,
  ];
}

/**
 * Tools that are not published with `--read-only`. With `keeps`, copies of what they change are kept, and
 * restore_file brings them back.
 */
export const writingTools = (keeps: boolean) => [
  writeFile(keeps),
  editFile(keeps),
  createDirectory,
  copyFile,
  moveFile,
  deleteFile(keeps),
  ...(keeps ? [restoreFile] : []),
];
