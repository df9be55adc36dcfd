import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { pngFile } from '../support/images/pngFile.ts';
import { patched } from '../support/images/damagedFiles.ts';

interface Outcome {
  taskId: string;
  files: vscode.Uri[];
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function edit(...given: unknown[]): Promise<string[]> {
  const { files } = await vscode.commands.executeCommand<Outcome>(commands.edit, ...given);
  return files.map((file) => vscode.workspace.asRelativePath(file));
}

describe('limner.edit', () => {
  let root: vscode.Uri;
  let original: vscode.Uri;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri;
    await vscode.commands.executeCommand(commands.useDemoService);
    const { files } = await vscode.commands.executeCommand<Outcome>(commands.generate, {
      prompt: 'A paper boat',
      fileName: 'boat',
      folder: 'edits',
      size: '64x64',
    });
    const [file] = files;
    assert.ok(file);
    original = file;
  });

  it('asks nothing when it is given a prompt, and saves beside the original', async () => {
    assert.deepEqual(await edit(original, { prompt: 'make it night' }), ['edits/boat-edited.png']);
  });

  it('takes paths, folder and file name as a key binding gives them', async () => {
    const given = {
      prompt: 'make it red',
      images: ['edits/boat.png'],
      folder: 'red',
      fileName: '{name}-red',
    };
    assert.deepEqual(await edit(given), ['red/boat-red.png']);
  });

  it('edits with a model of the native family', async () => {
    const given = { prompt: 'make it gold', model: 'demo-sketch-a', callStyle: 'native', fileName: 'gold' };
    assert.deepEqual(await edit(original, given), ['edits/gold.png']);
  });

  it('edits a file that is not on disk', async () => {
    const { dispose, uri } = await fileInMemory(original);
    try {
      assert.deepEqual(await edit(uri, { prompt: 'make it blue', folder: 'blue' }), [
        'blue/memory-edited.png',
      ]);
    } finally {
      dispose();
    }
  });

  const refusals: [string, string, () => Promise<unknown>][] = [
    ['a file that is no image', 'unsupported_image', async () => edit(await textFile(), { prompt: 'a hat' })],
    ['a damaged image', 'unsupported_image', async () => edit(await damagedImage(), { prompt: 'a hat' })],
    [
      'a damaged mask',
      'unsupported_image',
      async () => edit(original, { prompt: 'a hat', mask: await damagedImage() }),
    ],
    ['a folder', 'unsupported_image', async () => edit(root, { prompt: 'a hat' })],
    ['a missing file', 'invalid_request', async () => edit('no/such.png', { prompt: 'a hat' })],
    ['an empty prompt', 'invalid_request', async () => edit(original, { prompt: '  ' })],
    ['a wrong argument', 'invalid_request', async () => edit(original, { prompt: 'a hat', n: 0 })],
    [
      'more inputs than the model takes',
      'invalid_request',
      async () => edit({ prompt: 'both', images: [original, original] }),
    ],
    [
      'a mask of another size',
      'invalid_request',
      async () => edit(original.fsPath, { prompt: 'a hat', mask: await tinyImage() }),
    ],
    [
      'a target that is a file',
      'save_failed',
      async () => edit(original, { prompt: 'a hat', folder: original.fsPath }),
    ],
  ];
  for (const [what, code, attempt] of refusals) {
    it(`rejects ${what} with the code ${code}`, async () => {
      await assert.rejects(attempt, { code });
    });
  }

  it('says what is damaged in an image and where, and that nothing was sent', async () => {
    await assert.rejects(edit(await damagedImage(), { prompt: 'a hat' }), {
      message:
        'damaged.png is damaged: the checksum of chunk IDAT at byte 33 is wrong. Nothing was sent. Open it in an image editor and save it again, or choose another image.',
      billing: 'no',
    });
  });

  it('sends a mask in the convention that the model wants, whichever it has', async () => {
    const given = { prompt: 'a hat', fileName: 'hat' };
    const [transparent, white] = [await maskFile('alpha', 6), await maskFile('white', 2)];
    // Without a convention, only transparency marks anything. The service accepts nothing else, and says so.
    const unmarked = { code: 'invalid_request', message: /no pixel is transparent/ };
    const opaque = { message: /mask must be transparent/ };
    try {
      assert.deepEqual(await edit(original, { ...given, mask: transparent }), ['edits/hat.png']);
      await assert.rejects(edit(original, { ...given, mask: white }), unmarked);
      await updateModels([{ id: 'demo-painter', mask: 'alpha' }]);
      assert.deepEqual(await edit(original, { ...given, mask: white }), ['edits/hat-2.png']);
      await updateModels([{ id: 'demo-painter', mask: 'white' }]);
      await assert.rejects(edit(original, { ...given, mask: transparent }), opaque);
      await assert.rejects(edit(original, { ...given, mask: await maskFile('torn', 6, 3) }), {
        code: 'unsupported_image',
      });
    } finally {
      await updateModels(undefined);
    }
  });

  it('sends several images as inputs of one edit where the model takes them', async () => {
    await updateModels([{ id: 'demo-painter', inputs: { max: 2, field: 'image[]' } }]);
    try {
      const given = { prompt: 'both', images: [original, original], fileName: 'both' };
      assert.deepEqual(await edit(given), ['edits/both.png']);
    } finally {
      await updateModels(undefined);
    }
  });

  async function tinyImage(): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(root, 'tiny.png');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(onePixel, 'base64'));
    return uri;
  }

  /** Writes a mask for the left half: transparent, or white in one without alpha. */
  async function maskFile(name: string, colourType: 2 | 6, lines = 64): Promise<vscode.Uri> {
    const edited = colourType === 6 ? [0, 0, 0, 0] : [255, 255, 255];
    const kept = colourType === 6 ? [0, 0, 0, 255] : [0, 0, 0];
    const line = [0, ...Array.from({ length: 64 }, (_, x) => (x < 32 ? edited : kept)).flat()];
    const uri = vscode.Uri.joinPath(root, `${name}.png`);
    await vscode.workspace.fs.writeFile(
      uri,
      pngFile({
        width: 64,
        height: 64,
        bitDepth: 8,
        colourType,
        lines: Array.from({ length: lines }, () => line).flat(),
      }),
    );
    return uri;
  }

  async function damagedImage(): Promise<vscode.Uri> {
    const bytes = Buffer.from(onePixel, 'base64');
    const uri = vscode.Uri.joinPath(root, 'damaged.png');
    await vscode.workspace.fs.writeFile(uri, patched(bytes, 43, (bytes[43] ?? 0) ^ 1));
    return uri;
  }

  async function textFile(): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(root, 'words.png');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('these are only words'));
    return uri;
  }
});

async function updateModels(value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(settingNames.models, value, vscode.ConfigurationTarget.Global);
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}

/** Copies a file to a file system that is not on disk. */
async function fileInMemory(copied: vscode.Uri): Promise<{ uri: vscode.Uri; dispose: () => void }> {
  const bytes = await vscode.workspace.fs.readFile(copied);
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const registration = vscode.workspace.registerFileSystemProvider(
    'limner-test',
    {
      onDidChangeFile: changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.length }),
      readFile: () => bytes,
      readDirectory: refuse,
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isReadonly: true },
  );
  return {
    uri: vscode.Uri.from({ scheme: 'limner-test', path: '/memory.png' }),
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
