/** Shown where filters are configured but do not run, and a file looks modified. */
export const filtersNote =
  'The filters of this repository, such as Git LFS, do not run: their files may look modified; --trust runs them';
