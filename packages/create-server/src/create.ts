import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Project } from './project.ts';
import { projectFiles } from './project-files.ts';

/** Writes a new project into a directory. Throws before the first write if the directory contains files. */
export function create(project: Project, directory: string, templatesDirectory: string): void {
  mkdirSync(directory, { recursive: true });
  const present = readdirSync(directory).filter((name) => name !== '.git');
  if (present.length > 0) {
    throw new Error(
      `The directory "${directory}" is not empty: it has "${present[0]}"; name another directory`,
    );
  }
  const templateDirectory = join(templatesDirectory, project.template.directory);
  cpSync(templateDirectory, directory, { recursive: true });
  for (const [path, text] of Object.entries(projectFiles(project, templateDirectory))) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
