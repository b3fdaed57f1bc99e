// The sandbox, which has a method for every operation.
export { Sandbox, type Content, type HashOptions, type SandboxOptions } from './sandbox.ts';
export { allow, type AllowedDirectory, type AllowOptions } from './access/allowed-directory.ts';

// Results and options of reading.
export { defaultTextBytes, type TextRange, type TextRead } from './read/read-text.ts';
export type { LinesRange, LinesRead } from './read/read-lines.ts';
export type { FileContent } from './read/read-file.ts';
export type { Media } from './read/read-media.ts';
export type { FileInfo } from './read/file-info.ts';
export type { Kind } from './file-kind.ts';

// Results and options of listing directories.
export type { Listing, ListOptions } from './list/list-directory.ts';
export type { Entry } from './traverse/directory-entries.ts';
export type { ListSizesOptions, SizedEntry, Sizes } from './list/list-with-sizes.ts';
export type { Tree, TreeNode, TreeOptions } from './list/directory-tree.ts';

// Results and options of finding, searching and comparing.
export type { FindOptions, Found, FoundEntry } from './list/find-files.ts';
export type { NearMisses } from './list/near-misses.ts';
export type { DuplicateGroup, Duplicates } from './list/find-duplicates.ts';
export type { SearchOptions, SearchResult } from './search/search-text.ts';
export type { MatchPosition } from './search/match-page.ts';
export type { CompareOptions, Comparison, FileDifferences } from './compare/compare-paths.ts';
export type { DirectoryDifferences } from './compare/compare-directories.ts';
export type { UnreadablePath } from './traverse/path-filter.ts';
export type { CappedList } from './capped-list.ts';

// The paths that the arguments of a caller select, and lines of text about them.
export {
  leafKinds,
  type PathSelection,
  type SelectedPaths,
  type SelectOptions,
} from './select/select-paths.ts';
export type { Transfer, TransferArguments, Transfers } from './select/transfers.ts';
export { byNaturalOrder } from './select/natural-order.ts';
export { outermostPaths } from './select/outermost-paths.ts';
export { leftOutLines } from './select/left-out.ts';
export { nearMissesText } from './select/near-misses-text.ts';
export { counted } from './counted.ts';

// Results and options of changes.
export type { AppliedEdit, Edit } from './edit/edit.ts';
export type { Edited, EditedFile, EditOptions, EditsOf } from './edit/edit-files.ts';
export type { AppendOptions } from './write/append-file.ts';
export type { WriteOptions, Written } from './write/write-file.ts';
export type { InPlace } from './replace/replace-file.ts';
export type { ModeChanged } from './write/set-executable.ts';
export type { CreatedDirectory } from './write/create-directory.ts';
export type { Copied, CopyOptions } from './write/copy.ts';
export type { Joined, JoinOptions } from './write/join-files.ts';
export type { Moved } from './write/move.ts';
export type { Deleted, DeleteOptions } from './write/delete.ts';

// The keep directory: it stores the content that a change has replaced or deleted, so that it can be
// restored.
export { KeepDirectory, TooLargeToKeep, type KeepOptions } from './keep/keep-directory.ts';
export { NotKept, type KeptChange } from './keep/kept-change.ts';
export type { KeptItem, KeptRecord } from './keep/kept-record.ts';
export type { Restored } from './write/restore.ts';

// Errors, and names escaped for printing.
export { Conflict, NotFound, OutsideDirectories } from './errors.ts';
export { displayName, quoted } from './display-name.ts';
