import type { Engine } from '../../engine/run/engine.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import type { Style } from '../../engine/operations/style.ts';
import type { TextEdit } from '../../pages/cards/cardImage.ts';
import type { PageDocument, WantedImage } from '../../pages/find/wantedImages.ts';
import type { Reference } from '../../pages/scan/reference.ts';
import type { AgentLimits } from './allowance.ts';
import type { WorkspaceFile, Root } from './workspacePaths.ts';
import type { FileNamer } from './replyText.ts';
import type { PaintInput, ToolCall } from './tools.ts';

/** Implemented by each door: an editor window or a process. */
export interface AgentHost extends FileNamer {
  engine(): Promise<Pick<Engine, 'store' | 'runner' | 'codecs' | 'keptFiles'>>;
  /** Returns the open folders, always in the same order. Relative paths without a folder's name refer to the first. */
  roots(): Promise<readonly Root[]>;
  limits(): AgentLimits;
  /** Returns the IDs of the models that agents may choose from; empty if the user listed none. */
  models(): readonly string[];
  /** Returns the service in use and its models. */
  offer(): Promise<Offer>;
  /** Returns the names of the project's styles. */
  styles(): Promise<string[]>;
  /** Returns the style of new images where a call names none; empty for none. @param folder URI of the image's folder */
  usualStyle(folder: string): string;
  /** Returns paths of images in the open folders, with slashes, at most this many. */
  imageFiles(most: number): Promise<string[]>;
  /** Builds the request of a call, after every check that costs nothing. @throws LimnerError */
  build(input: PaintInput, places: PaintFiles): Promise<BuiltRequest>;
  /**
   * Returns the request that a call would send, and creates no files for it.
   *
   * @throws LimnerError when it could not be sent
   */
  preview(input: PaintInput, places: PaintFiles): Promise<TaskRequest>;
  /**
   * Reads a file of the workspace; undefined if it does not exist.
   *
   * @param most largest size in bytes
   * @throws Error when it is not a regular file or is too large, or when it turns out to lie outside of the workspace
   */
  read(uri: string, most: number): Promise<Uint8Array | undefined>;
  /** Returns the size of a workspace file in bytes; undefined if it does not exist. @throws as `read` */
  sizeOf(uri: string): Promise<number | undefined>;
  /** Returns a new path outside of the workspace for a copy of an input, kept as long as a task refers to it. */
  copyPath(name: string): Promise<string>;
  /** Creates a file under the first free name. @returns its URI */
  publish(bytes: Uint8Array, place: WorkspaceFile): Promise<string>;
  /** Returns access to the documents of the workspace. */
  pages(): Promise<AgentPages>;
}

/** Documents by their URIs, as they are now: an editor may hold text that is not saved. */
export interface AgentPages {
  /** @returns `lossy` if the encoding loses characters @throws Error when it can't be read */
  read(uri: string): Promise<AgentPage | 'lossy'>;
  /**
   * Changes a document and keeps its encoding and its line endings.
   *
   * @param editsFor returns edits of the current text; called again if it changes meanwhile
   * @throws Error when the document can't be read or changed, or that of `editsFor`
   */
  change(
    uri: string,
    editsFor: (page: AgentPage) => Promise<readonly TextEdit[]>,
  ): Promise<'changed' | 'same' | 'lossy'>;
}

/** A document, and what is known of the images that it names. */
export interface AgentPage {
  document: PageDocument;
  references: readonly Reference[];
  /** Returns a missing image or a placeholder; undefined for an image that exists or is of no interest. */
  at(reference: Reference): Promise<WantedImage | undefined>;
  /** Returns the URI of the image that is there. */
  fileOf(reference: Reference): Promise<string | undefined>;
  /** Returns the address by which the document names an image. @param uri of the image */
  addressOf(uri: string, reference: Reference): Promise<string>;
  /** Template for the names of new images. */
  fileName: string;
}

/** The service in use and its models, as far as the user described them. */
export interface Offer {
  /** Its host; undefined if none is connected. */
  service: string | undefined;
  free: boolean;
  /** Its models; their prices are those that count. */
  models: readonly ModelEntry[];
  /** The model that is used unless a call names another. */
  usual: string | undefined;
}

/** The request of a call, and notes about how it is sent, in sentences. */
export interface BuiltRequest {
  request: TaskRequest;
  notes: readonly string[];
}

/** The files of a call. Inputs are copied first, so that no other program can change them meanwhile. */
export interface PaintFiles {
  target: WorkspaceFile;
  images: readonly InputCopy[];
  mask: InputCopy | undefined;
  style?: AgentStyle | undefined;
}

/** A style, its file, and the folder that its images must lie in, as URI strings. */
export interface AgentStyle extends Style {
  uri: string;
  root: string;
}

export interface InputCopy {
  path: string;
  /** URI string of the original file. */
  uri: string;
}

export interface CallContext {
  /** Aborted when the call is canceled. */
  signal: AbortSignal;
  /** Aborted when the call is to be answered, with what there is by then. */
  patience?: AbortSignal | undefined;
  /** Whether nobody reads the reply any more. */
  isLeft?: () => boolean;
  /** Called whenever the task makes progress. */
  onProgress?: (task: Task) => void;
  /** The call that the user agreed to, or need not be asked about. Anything beyond it is neither sent nor replaced. */
  plan?: Plan | undefined;
}

export interface Plan {
  call: ToolCall;
  /** Relative to the workspace. */
  path: string;
  /** URIs of its files: the one to create first, then those to read. */
  uris: readonly string[];
  /** How many images may be billed; 0 if the call is free or its task already exists. */
  images: number;
  request?: TaskRequest;
  /** Of a set: what each of its images would do; undefined for one that would be refused. `request` is the first one. */
  parts?: readonly (Plan | undefined)[];
  replaces: boolean;
}

export interface Reply {
  text: string;
  isError: boolean;
  pictures: { data: Uint8Array; mediaType: string }[];
  taskId?: string;
}
