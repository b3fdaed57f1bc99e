/** What is said where filters are not run, and something is modified. */
export const filtersNote =
  'The filters of this repository, such as Git LFS, are not run: files under them may look modified; --trust runs them';
