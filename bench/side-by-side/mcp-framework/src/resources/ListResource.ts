import { MCPResource } from 'mcp-framework';
import { lists } from '../../../todo-lists.ts';

export default class ListResource extends MCPResource {
  uri = 'todo://home';
  name = 'list';
  override description = 'The entries of a list';
  override mimeType = 'text/plain';
  protected override template = { uriTemplate: 'todo://{list}' };

  async read() {
    return [{ uri: this.uri, mimeType: this.mimeType, text: await lists.read('home') }];
  }

  override async complete(_name: string, typed: string) {
    return { values: (await lists.names()).filter((name) => name.startsWith(typed)) };
  }

  override async subscribe() {}

  override async unsubscribe() {}
}
