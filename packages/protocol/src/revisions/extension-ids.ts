/**
 * The id of the tasks extension.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export const tasksExtension = 'io.modelcontextprotocol/tasks';
