import type { Engine } from '../engine.ts';
import type { Task, TaskRequest } from '../tasks/task.ts';
import type { AgentLimits } from './allowance.ts';
import type { Place, Root } from './places.ts';
import type { Words } from './replyText.ts';
import type { PaintInput, ToolCall } from './tools.ts';

/** What a door gives: an editor's window, or a process. */
export interface AgentHost extends Words {
  engine(): Promise<Pick<Engine, 'store' | 'runner' | 'codecs' | 'keptFiles'>>;
  /** Returns the folders that are open, always in the same order: paths that name none mean the first. */
  roots(): Promise<readonly Root[]>;
  limits(): AgentLimits;
  /** Returns the IDs of the models that agents may choose from; none where the person listed none. */
  models(): readonly string[];
  /**
   * Builds the request of a call, with everything checked that can be checked before it costs anything.
   *
   * @throws LimnerError
   */
  build(input: PaintInput, places: PaintPlaces): Promise<BuiltRequest>;
  /**
   * Returns the request that a call would send, and makes nothing for it.
   *
   * @throws LimnerError when it could not be sent
   */
  preview(input: PaintInput, places: PaintPlaces): Promise<TaskRequest>;
  /**
   * Reads a file of the workspace; undefined when there is none.
   *
   * @param most bytes that it may have
   * @throws Error when it is no regular file, is larger, or a link has led out of the workspace when it was opened
   */
  read(uri: string, most: number): Promise<Uint8Array | undefined>;
  /** Returns how many bytes a file of the workspace has; undefined when there is none. @throws as `read` */
  sizeOf(uri: string): Promise<number | undefined>;
  /** Returns a new path outside of the workspace for a copy of an input, kept as long as a task has it. */
  copyPath(name: string): Promise<string>;
  /** Makes a file of bytes under the first free name. @returns its URI */
  publish(bytes: Uint8Array, place: Place): Promise<string>;
}

/** The request of a call, and what should be known of how it is sent, in sentences. */
export interface BuiltRequest {
  request: TaskRequest;
  notes: readonly string[];
}

/** The files of a call: those that are sent as copies, of which no other program can make other files meanwhile. */
export interface PaintPlaces {
  target: Place;
  images: readonly InputCopy[];
  mask: InputCopy | undefined;
}

/** A copy of a file that is sent. */
export interface InputCopy {
  path: string;
  /** URI string of the file itself. */
  uri: string;
}

/** How a call is accompanied. */
export interface CallContext {
  /** Aborted when the agent cancels it. */
  signal: AbortSignal;
  /** Called whenever a task that is waited for gets further. */
  onProgress?: (task: Task) => void;
  /** What the person agreed to, or need not be asked about. Beyond it, nothing is sent and nothing replaced. */
  plan?: Plan | undefined;
}

/** What a call is about to do, for a person to agree to. */
export interface Plan {
  call: ToolCall;
  /** From the workspace. */
  path: string;
  /** URIs of its files: of the one that it makes, then of those that it reads. */
  uris: readonly string[];
  /** How many images may be billed; 0 for a call that costs nothing, or that there is a task of already. */
  images: number;
  /** What would be sent, where anything is. */
  request?: TaskRequest;
  /** It replaces a file. */
  replaces: boolean;
}

/** What an agent gets back. */
export interface Reply {
  text: string;
  isError: boolean;
  /** Small pictures of the images, to be looked at. */
  pictures: { data: Uint8Array; mediaType: string }[];
  /** The task that it is about, if it is about one. */
  taskId?: string;
  /** The files, in the order of their images. */
  files: { uri: string; path: string; mediaType: string }[];
}
