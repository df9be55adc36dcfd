import * as vscode from 'vscode';
import type { AgentHost, BuiltRequest, InputCopy, PaintPlaces } from '../../agents/agentHost.ts';
import { openWithin } from '../../agents/openWithin.ts';
import type { Place, Root } from '../../agents/places.ts';
import type { PaintInput } from '../../agents/tools.ts';
import { contentsOf, requireSize } from '../../common/disk/regularFile.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import type { Engine } from '../../engine.ts';
import type { TaskRequest, TaskResult } from '../../tasks/task.ts';
import { publishBytes } from '../actions/publishBytes.ts';
import type { InputRole } from '../../tasks/files/taskInput.ts';
import { finishNotes } from '../paint/finishNotes.ts';
import { newInputFile } from '../paint/inputFolder.ts';
import { type InputImage, readImage } from '../paint/inputImages.ts';
import type { Models } from '../paint/models.ts';
import type { PaintQuestions } from '../paint/paintQuestions.ts';
import type { Order, PaintRequests } from '../paint/paintRequest.ts';
import type { ServiceConnection } from '../paint/serviceConnection.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { readIfThere, statOf } from '../window/files.ts';
import { limitSettings } from './agentSettings.ts';

export interface EditorHostServices {
  engine: EngineHost;
  service: ServiceConnection;
  models: Models;
  questions: PaintQuestions;
  requests: PaintRequests;
}

/** What agents' calls need of a window. */
export class EditorHost implements AgentHost {
  readonly #services: EditorHostServices;
  readonly limits = limitSettings;

  constructor(services: EditorHostServices) {
    this.#services = services;
  }

  async engine(): Promise<Engine> {
    return this.#services.engine.get();
  }

  /** Returns the workspace folders in their order, whichever file is active. */
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

  async build(input: PaintInput, places: PaintPlaces): Promise<BuiltRequest> {
    const notes: string[] = [];
    const request = await this.#request(input, places, { tell: (note) => notes.push(note) });
    return { request, notes };
  }

  async preview(input: PaintInput, places: PaintPlaces): Promise<TaskRequest> {
    return this.#request(input, places, { isPreview: true });
  }

  async #request(
    input: PaintInput,
    { target, images, mask }: PaintPlaces,
    how: Pick<Order, 'isPreview' | 'tell'>,
  ): Promise<TaskRequest> {
    const { questions, requests, service } = this.#services;
    const { prompt, size, quality, n = 1, fit = 'crop', transparent, model } = input;
    try {
      const baseUrl = how.isPreview ? await service.configured() : await service.ready();
      const inputs = await Promise.all(images.map(async (image) => this.#read(image, 'image')));
      return await requests.build(baseUrl, {
        ...questions.assume({ model }),
        prompt,
        size,
        quality,
        n,
        ...(size !== undefined && { fit }),
        ...(transparent && { background: 'transparent' }),
        folder: vscode.Uri.parse(target.folder, true),
        fileName: target.fileName,
        images: inputs.length > 0 ? inputs : undefined,
        ...(mask && { mask: await this.#read(mask, 'mask'), keepOutside: true }),
        ...how,
        asks: false,
      });
    } catch (error) {
      throw error instanceof vscode.CancellationError
        ? new LimnerError('stopped', 'The person declined.', notSent)
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

  async publish(bytes: Uint8Array, { folder, fileName }: Place): Promise<string> {
    const uri = vscode.Uri.parse(folder, true);
    return (await publishBytes(this.#services.engine.home, bytes, uri, fileName)).toString();
  }

  nameOf(uri: string): string {
    return vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
  }

  remarksOn(_request: TaskRequest, { finished, lostCredentials }: TaskResult): string[] {
    if (finished && 'problem' in finished) {
      return [finished.problem];
    }
    const { verdict, reasons } = finished?.cutout ?? { verdict: 'good', reasons: [] };
    const facts = { ...finished, ...(lostCredentials && { lostCredentials }) };
    return [...(verdict === 'good' ? [] : reasons.map(({ text }) => text)), ...finishNotes(facts)];
  }
}

function isOnDisk(uri: string): boolean {
  return uri.startsWith('file:');
}
