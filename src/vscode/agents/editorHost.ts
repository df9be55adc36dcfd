import * as vscode from 'vscode';
import type {
  AgentHost,
  AgentPages,
  BuiltRequest,
  InputCopy,
  Offer,
  PaintFiles,
} from '../../agents/tools/agentHost.ts';
import { openWithin, type Root, type WorkspaceFile } from '../../agents/tools/workspacePaths.ts';
import type { PaintInput } from '../../agents/tools/tools.ts';
import { contentsOf, requireSize } from '../../common/regularFile.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import type { Engine } from '../../engine/run/engine.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import { publishBytes } from '../actions/workspacePublisher.ts';
import type { InputRole } from '../../engine/files/taskInput.ts';
import { newInputFile, type InputImage, readImage } from '../generate/inputImages.ts';
import type { Models } from '../generate/models.ts';
import type { PaintOrder, PaintRequests } from '../generate/paintRequest.ts';
import type { ServiceConnection } from '../generate/serviceConnection.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { readIfThere, statOf } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import { styled, styleImages } from '../../engine/operations/style.ts';
import type { Styles } from '../ask/styles.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import { limitSettings } from './agentSettings.ts';

const images = '**/*.{png,jpg,jpeg,webp,gif,svg,avif}';
const foreign = '**/{node_modules,vendor,dist,build,out,target}/**';

export interface EditorHostServices {
  engine: EngineHost;
  settings: Settings;
  names: ServiceNames;
  service: ServiceConnection;
  models: Models;
  requests: PaintRequests;
  styles: Styles;
  documents: () => Promise<{ forAgents: AgentPages }>;
}

export class EditorHost implements AgentHost {
  readonly #services: EditorHostServices;
  readonly limits = limitSettings;

  constructor(services: EditorHostServices) {
    this.#services = services;
  }

  async engine(): Promise<Engine> {
    return this.#services.engine.get();
  }

  async roots(): Promise<Root[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return Promise.resolve(folders.map(({ uri, name }) => ({ uri: uri.toString(), name })));
  }

  models(): string[] {
    const { models } = this.#services;
    const listed = models.configured();
    const usual = models.implied(listed);
    const mayBeHad = listed.length > 0 ? [...listed, ...(usual ? [usual] : [])] : [];
    return [...new Set(mayBeHad.map(({ id }) => id))];
  }

  async offer(): Promise<Offer> {
    const { models, names } = this.#services;
    const { isDemo, inUse } = names;
    return Promise.resolve({
      service: inUse === '' ? undefined : inUse,
      free: isDemo,
      models: models.configured(),
      usual: models.usual()?.id,
    });
  }

  async styles(): Promise<string[]> {
    return this.#services.styles.names();
  }

  usualStyle(folder: string): string {
    return this.#services.settings.style(vscode.Uri.parse(folder, true));
  }

  async imageFiles(most: number): Promise<string[]> {
    const found = await vscode.workspace.findFiles(images, foreign, most);
    return found.map((uri) => vscode.workspace.asRelativePath(uri));
  }

  async build(input: PaintInput, places: PaintFiles): Promise<BuiltRequest> {
    const notes: string[] = [];
    const request = await this.#request(input, places, { tell: (note) => notes.push(note) });
    return { request, notes };
  }

  async preview(input: PaintInput, places: PaintFiles): Promise<TaskRequest> {
    return this.#request(input, places, { isPreview: true });
  }

  async #request(
    input: PaintInput,
    { target, images, mask, style }: PaintFiles,
    how: Pick<PaintOrder, 'isPreview' | 'tell'>,
  ): Promise<TaskRequest> {
    const { models, requests, service } = this.#services;
    const { prompt, n = 1, transparent } = input;
    const chosen = style && { ...style, ...(transparent === false && { transparent }) };
    const fit = input.fit ?? (input.size === undefined ? undefined : (style?.fit ?? 'crop'));
    const folder = vscode.Uri.parse(target.folder, true);
    const { model, ...given } = styled(
      {
        model: input.model,
        size: input.size,
        quality: input.quality,
        fit,
        background: transparent ? ('transparent' as const) : undefined,
        fileName: target.fileName,
      },
      chosen,
      { size: mask !== undefined },
    );
    try {
      const baseUrl = how.isPreview ? await service.configured() : await service.ready();
      const inputs = await Promise.all(images.map(async (image) => this.#read(image, 'image')));
      return await requests.build(baseUrl, {
        model: models.choose(model),
        ...given,
        prompt,
        n,
        folder,
        style: style && {
          ...style,
          files: (await styleImages(style, style.uri, style.root)).map((uri) => vscode.Uri.parse(uri, true)),
        },
        images: inputs.length > 0 ? inputs : undefined,
        ...(mask && { mask: await this.#read(mask, 'mask'), keepOutside: true }),
        ...how,
        asks: false,
      });
    } catch (error) {
      throw error instanceof vscode.CancellationError
        ? new LimnerError('stopped', 'The user declined.', notSent)
        : error;
    }
  }

  async #read({ path, uri }: InputCopy, role: InputRole): Promise<InputImage> {
    return readImage(this.#services.engine, vscode.Uri.parse(uri, true), { copy: path, role });
  }

  async read(uri: string, most: number): Promise<Uint8Array | undefined> {
    if (isOnDisk(uri)) {
      return openWithin(uri, await this.roots(), contentsOf, most);
    }
    const size = await this.sizeOf(uri);
    if (size !== undefined) {
      requireSize(size, most);
    }
    return readIfThere(vscode.Uri.parse(uri, true));
  }

  async sizeOf(uri: string): Promise<number | undefined> {
    if (isOnDisk(uri)) {
      return openWithin(uri, await this.roots(), async (file) => (await file.stat()).size);
    }
    return (await statOf(vscode.Uri.parse(uri, true)))?.size;
  }

  async copyPath(name: string): Promise<string> {
    return (await newInputFile(this.#services.engine, name)).fsPath;
  }

  async publish(bytes: Uint8Array, { folder, fileName }: WorkspaceFile): Promise<string> {
    const uri = vscode.Uri.parse(folder, true);
    return (await publishBytes(this.#services.engine.home, bytes, uri, fileName)).toString();
  }

  async pages(): Promise<AgentPages> {
    return (await this.#services.documents()).forAgents;
  }

  nameOf(uri: string): string {
    return vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
  }
}

function isOnDisk(uri: string): boolean {
  return uri.startsWith('file:');
}
