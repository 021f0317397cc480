/** A client from the protocol's own package, with `cictl mcp` as its server. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import type { Home } from './home.ts';
import { toolProgram, toolWords } from './tool.ts';

export interface ToolClient {
  readonly client: Client;
  /** Calls a tool. Resolves to the texts in the response, and whether the response is an error. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Called>;
  readonly stderr: () => string;
}

export interface Called {
  readonly texts: readonly string[];
  readonly isError: boolean;
  /** The size of the response in bytes. */
  readonly bytes: number;
}

/** Starts `cictl mcp` with additional arguments and stops it after the test. */
export async function useTools(
  home: Home,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: toolProgram,
    args: [...toolWords, 'mcp', ...args],
    cwd: home.cwd,
    env: { ...home.env, ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Uint8Array) => (stderr += new TextDecoder().decode(chunk)));
  const client = new Client({ name: 'test', version: '0.0.0' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return {
    client,
    stderr: () => stderr,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      const content = result.content as { type: string; text: string }[];
      return {
        texts: content.map(({ text }) => text),
        isError: result.isError === true,
        bytes: Buffer.byteLength(JSON.stringify(result)),
      };
    },
  };
}
