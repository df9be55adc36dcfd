import type { Draft } from './draft.ts';

/** Where a task stands, in the engine's words. */
export type StudioTaskStatus =
  | 'waiting'
  | 'submitting'
  | 'queued'
  | 'in_progress'
  | 'needs_key'
  | 'saving'
  | 'completed'
  | 'failed'
  | 'unknown'
  | 'stopped'
  | 'expired';

/** A model of the settings, as far as it decides what can be asked. */
export interface StudioModel {
  id: string;
  name: string;
  family: 'image' | 'native';
  /** Presets, `<width>x<height>`; may be empty. */
  sizes: string[];
  maxCount: number;
  maxInputs: number;
  mask: 'alpha' | 'white' | 'none';
  /** Beside `auto`, those that can be had with this model. */
  callStyles: Exclude<Draft['callStyle'], 'auto'>[];
}

/** An input image, upright. */
export interface StudioInput {
  id: string;
  name: string;
  /** For `img`. */
  url: string;
  /** Where it came from, as the person knows it; empty for what was pasted, which its edit cannot be saved beside. */
  path: string;
  /** In pixels. */
  width: number;
  height: number;
  /** In bytes. */
  size: number;
  mediaType: string;
  /** What should be known before it is sent: that it is very large, that it was made upright. */
  notes: string[];
}

/** One picture of a task. */
export interface StudioImage {
  index: number;
  /** For `img`; absent while it is no file, or when its file is gone. */
  url?: string;
  name: string;
  path: string;
  /** In pixels. */
  width?: number;
  height?: number;
  mediaType?: string;
  starred: boolean;
  /** Whether everything outside the mask is the original's, or why it is not, in words. */
  keptOutside?: true | string;
  /** The service's own answer, where the file has pixels of the original: for `img`. */
  answerUrl?: string;
  /** Whether *Fit to Asked Size* would change it. */
  isOtherSize: boolean;
  revisedPrompt?: string;
  /** Why it is no file. */
  error?: string;
}

/** What a person can do with a task; buttons for the others are not shown. */
export type StudioTaskAction = 'stop' | 'resume' | 'runAgain' | 'runSynchronously' | 'saveAgain' | 'remove';

/** A task as the studio shows it. */
export interface StudioTask {
  id: string;
  kind: 'generate' | 'edit';
  prompt: string;
  model: string;
  status: StudioTaskStatus;
  standing: 'running' | 'paused' | 'ended';
  /** 0–100. */
  progress?: number;
  /** The status in words. */
  statusText: string;
  /** Unix milliseconds. */
  createdAt: number;
  finishedAt?: number;
  /** Asked for, `<width>x<height>`. */
  size?: string;
  /** How many were asked for. */
  count: number;
  images: StudioImage[];
  /** The first image of an edit, for comparing: for `img`; absent when it is gone. */
  originalUrl?: string;
  /** Whether its first image is a file of the person's, which a result can take the place of. */
  hasOriginal: boolean;
  /** Why it ended or waits, and what it cost, in words. */
  message?: string;
  actions: StudioTaskAction[];
}

/** Where the next result goes. */
export interface StudioTarget {
  /** The path of the first file, without the extension that only the bytes decide. */
  path: string;
  /** Why nothing can be saved there. */
  problem?: string;
}

/** All that a fresh webview is given, in its page. */
export interface StudioState {
  draft: Draft;
  inputs: StudioInput[];
  models: StudioModel[];
  /** Id of the model that is meant while the draft names none. */
  defaultModel: string;
  defaults: { size: string; quality: string; count: number; folder: string; fileName: string };
  tasks: StudioTask[];
  target: StudioTarget;
  /** Whether a service is configured. */
  isConnected: boolean;
  /** Whether the draft is being sent, be it for an earlier page. */
  isSending: boolean;
}
