import * as v from 'valibot';
import * as vscode from 'vscode';

const call = v.object({ tool: v.string(), input: v.record(v.string(), v.unknown()) });

/**
 * `Agent: Call` makes the call in `call.json`, and writes to `reply.json` what came of it. `Agent: Cancel` cancels what
 * was called last.
 */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  let last: vscode.CancellationTokenSource | undefined;
  subscriptions.push(
    vscode.commands.registerCommand('agentCaller.cancel', () => last?.cancel()),
    vscode.commands.registerCommand('agentCaller.call', async () => {
      const { tool, input } = v.parse(call, JSON.parse(await read('call.json')));
      try {
        last = new vscode.CancellationTokenSource();
        const options = { input, toolInvocationToken: undefined };
        const { content } = await vscode.lm.invokeTool(tool, options, last.token);
        const texts = content.flatMap((part) =>
          part instanceof vscode.LanguageModelTextPart ? [part.value] : [],
        );
        await reply({ text: texts.join('\n') });
      } catch (error) {
        await reply({ error: String(error) });
      }
    }),
  );
}

async function read(name: string): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(fileOf(name))).toString();
}

async function reply(value: object): Promise<void> {
  await vscode.workspace.fs.writeFile(fileOf('reply.json'), Buffer.from(JSON.stringify(value)));
}

function fileOf(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) {
    throw new Error('No folder is open.');
  }
  return vscode.Uri.joinPath(folder.uri, name);
}
