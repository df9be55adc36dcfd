import type { CallStyle } from '../../common/callStyle.ts';
import type { Standing, TaskStatus } from '../../common/taskStatus.ts';
import type { Draft } from './draft.ts';

/** A model of the settings, with what it allows to ask for. */
export interface StudioModel {
  id: string;
  name: string;
  family: 'image' | 'native';
  /** Presets, `<width>x<height>`; may be empty. */
  sizes: string[];
  maxCount: number;
  maxInputs: number;
  /** Whether `maxInputs` is assumed, because the settings do not say. */
  isMaxInputsAssumed?: true;
  mask: 'alpha' | 'white' | 'none';
  /** How it makes transparent backgrounds. */
  transparentBy: 'alpha' | 'key' | 'grounds';
  /** Call styles that this model supports besides `auto`. */
  callStyles: CallStyle[];
}

/** An input image, upright. */
export interface StudioInput {
  id: string;
  name: string;
  /** For `img`; empty when its file is gone. */
  url: string;
  /** The change of its file since it was added; `replaced`: an edit took its place. */
  onDisk?: 'changed' | 'replaced' | 'deleted';
  /** Path that is shown to people; empty for a pasted image, beside which no edit can be saved. */
  path: string;
  /** In pixels. */
  width: number;
  height: number;
  /** In bytes. */
  size: number;
  mediaType: string;
  /** Hints before sending: that it is very large, or was turned upright. */
  notes: string[];
}

/** One image of a task. */
export interface StudioImage {
  index: number;
  /** For `img`; absent until it is saved, and when its file is gone. */
  url?: string;
  name: string;
  path: string;
  /** Of its file, as the window names it. */
  uri?: string;
  /** `true` if its file was discarded and can be restored. */
  isDiscarded?: true;
  /** In pixels. */
  width?: number;
  height?: number;
  mediaType?: string;
  starred: boolean;
  /** `true` if it took the place of its original, which can be restored. */
  replacesOriginal?: true;
  /** `true` if everything outside the mask is the original's, or the reason why not. */
  keptOutside?: true | string;
  /** For `img`: the image that the service made, where the file is made of it. */
  outputUrl?: string;
  /** The size in which it came, in pixels, where Limner was to finish it. */
  received?: { width: number; height: number };
  /** Says that it is not whole, and what is wrong with it. */
  damage?: string;
  /** How well its background was removed, and why not better. */
  cutout?: { verdict: 'good' | 'doubtful' | 'bad'; reasons: string[] };
  /** What else is to be known of how it was finished. */
  finishNotes?: string[];
  /** Whether *Fit to Requested Size* would change it. */
  isOtherSize: boolean;
  revisedPrompt?: string;
  /** Why it was not saved. */
  error?: string;
}

/** The actions that a task offers as buttons, in their order. */
export const studioTaskActions = [
  'stop',
  'cancel',
  'tryNow',
  'resume',
  'saveAgain',
  'fetchAgain',
  'finishAgain',
  'runAgain',
  'runSynchronously',
  'remove',
] as const;

export type StudioTaskAction = (typeof studioTaskActions)[number];

/** A task, in the form that the studio shows. */
export interface StudioTask {
  id: string;
  kind: 'generate' | 'edit';
  prompt: string;
  model: string;
  status: TaskStatus;
  standing: Standing;
  /** 0–100. */
  progress?: number;
  /** The status, in words. */
  statusText: string;
  /** Unix milliseconds. */
  createdAt: number;
  finishedAt?: number;
  /** Requested size, `<width>x<height>`. */
  size?: string;
  /** Requested number of images. */
  count: number;
  images: StudioImage[];
  /** For `img`: the first input of an edit, to compare with; absent when it is gone. */
  originalUrl?: string;
  /** In pixels. */
  originalSize?: { width: number; height: number };
  /** For `img`: the mask of an edit; absent without one, and when it is gone. */
  maskUrl?: string;
  /** Whether its first input is a file of the user's, which a result can replace. */
  hasOriginal: boolean;
  /** Reason why it ended or is waiting, and its cost. */
  message?: string;
  actions: StudioTaskAction[];
  /** Labels of further buttons that fix the error, such as one that sets the API key. */
  errorActions: string[];
  /** Whether the service rejected its content, so that another prompt is needed. */
  isRejected?: true;
  /** When the next try is made, in Unix milliseconds. */
  retryAt?: number;
  /** The page whose social card its images are backgrounds of, and the words that the page proposes. */
  socialCard?: { page: string; title: string; siteName: string };
}

/** The place where the next result will be saved. */
export interface StudioTarget {
  /** Path of the first file, without the extension where that depends on the result. */
  path: string;
  /** Why nothing can be saved there. */
  problem?: string;
  /** What it would cost, in words; absent where the model has no price. */
  cost?: string;
}

/** The state that a new page starts with. */
export interface StudioState {
  draft: Draft;
  inputs: StudioInput[];
  models: StudioModel[];
  /** Id of the model to use while the draft names none. */
  defaultModel: string;
  defaults: { size: string; quality: string; count: number; folder: string; fileName: string };
  tasks: StudioTask[];
  target: StudioTarget;
  /** Whether a service is configured. */
  isConnected: boolean;
  /** Whether VS Code has a language model, which can improve the prompt. */
  hasLanguageModel: boolean;
  /** Whether the draft is being sent, by this page or an earlier one. */
  isSending: boolean;
  /** The parts of the draft that a command has replaced while there was no page; can be undone. */
  replaced?: ReplacedDraft;
}

export interface ReplacedDraft {
  /** Before the command. */
  parts: Partial<Draft>;
  /** Whether it was composed but never sent. */
  isUnsent: boolean;
}
