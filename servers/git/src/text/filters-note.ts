/** Shown if a file looks modified while filters are configured that do not run. */
export const filtersNote =
  'The filters of this repository, such as Git LFS, do not run: their files may look modified; --trust runs them';
