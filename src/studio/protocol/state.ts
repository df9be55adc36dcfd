import type { CallStyle } from '../../common/requestValues.ts';
import type { Standing, TaskStatus } from '../../common/taskStatus.ts';
import type { Draft } from './draft.ts';

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
  /** For `img`; empty if its file is gone. */
  url: string;
  /** The change of its file since it was added; `replaced`: an edit took its place. */
  onDisk?: 'changed' | 'replaced' | 'deleted';
  /** Displayed path; empty for a pasted image, which has no folder to save an edit in. */
  path: string;
  /** In pixels. */
  width: number;
  height: number;
  /** In bytes. */
  size: number;
  mediaType: string;
  /** Hints before sending: that it is very large, or was rotated upright. */
  notes: string[];
}

export interface StudioImage {
  index: number;
  /** For `img`; absent until it is saved, or if its file is gone. */
  url?: string;
  name: string;
  path: string;
  /** URI of its file in this window. */
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
  /** `true` if everything outside the mask equals the original, or the reason why not. */
  keptOutside?: true | string;
  /** For `img`: the output of the service, if the file was made from it. */
  outputUrl?: string;
  /** The size as received, in pixels, if Limner was to finish it. */
  received?: { width: number; height: number };
  /** A message that it is incomplete or damaged. */
  damage?: string;
  /** How well its background was removed, and the reasons. */
  cutout?: { verdict: 'good' | 'doubtful' | 'bad'; reasons: string[]; keptAnyway?: true };
  /** Actions that help at no cost. */
  cutoutActions?: ('keepAnyway' | 'keepSolid')[];
  /** Further notes about its finishing. */
  finishNotes?: string[];
  /** Whether *Fit to Requested Size* would change it. */
  isOtherSize: boolean;
  revisedPrompt?: string;
  /** Why it was not saved. */
  error?: string;
}

/** The actions that a task offers as buttons, in this order. */
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

/** A task, as displayed by the studio. */
export interface StudioTask {
  id: string;
  kind: 'generate' | 'edit';
  prompt: string;
  /** Name of its style. */
  style?: string;
  model: string;
  status: TaskStatus;
  standing: Standing;
  /** 0–100. */
  progress?: number;
  statusText: string;
  /** Unix milliseconds. */
  createdAt: number;
  finishedAt?: number;
  /** Requested size, `<width>x<height>`. */
  size?: string;
  /** Requested number of images. */
  count: number;
  images: StudioImage[];
  /** For `img`: the first input of an edit, for comparison; absent if it is gone. */
  originalUrl?: string;
  /** In pixels. */
  originalSize?: { width: number; height: number };
  /** For `img`: the mask of an edit; absent if there is none or it is gone. */
  maskUrl?: string;
  /** Whether its first input is a user's file, which a result can replace. */
  hasOriginal: boolean;
  /** Why it ended or is waiting, and its cost. */
  message?: string;
  actions: StudioTaskAction[];
  /** Labels of further buttons that fix the error, such as one that sets the API key. */
  errorActions: string[];
  /** Whether the service rejected its content, so that it needs another prompt. */
  isRejected?: true;
  /** When the next try is due, in Unix milliseconds. */
  retryAt?: number;
  /** The tasks that were started together with it, and which of their images it makes. */
  /** Of an image on white, another task of the batch makes the image. */
  batch?: { id: string; title: string; index: number; name: string; isOnWhite?: true };
  /** The page whose social card its images are backgrounds for, and the text that the page proposes. */
  socialCard?: { page: string; title: string; siteName: string };
}

/** Where the next result will be saved. */
export interface StudioTarget {
  /** Path of the first file, without the extension if that depends on the result. */
  path: string;
  /** Why nothing can be saved there. */
  problem?: string;
  /** The images, the cost, and the service of the next run; absent without a service or a model. */
  run?: string;
}

/** A style of the workspace. */
export interface StudioStyle {
  name: string;
  /** The words and images that it adds. */
  note?: string;
  /** Why it can't be used. */
  problem?: string;
  /** The parts of the draft that it decides. */
  parts: Partial<Pick<Draft, 'model' | 'modelService' | 'size' | 'fit' | 'quality' | 'transparent'>>;
}

/** The initial state of a new page. */
export interface StudioState {
  draft: Draft;
  inputs: StudioInput[];
  models: StudioModel[];
  /** ID of the model to use if the draft names none. */
  defaultModel: string;
  defaults: {
    size: string;
    fit: Draft['fit'];
    quality: string;
    count: number;
    folder: string;
    fileName: string;
  };
  styles: StudioStyle[];
  tasks: StudioTask[];
  target: StudioTarget;
  /** URL of the service in use. */
  baseUrl: string;
  /** Whether a service is configured. */
  isConnected: boolean;
  /** Whether VS Code has a language model that can improve the prompt. */
  hasLanguageModel: boolean;
  /** Whether the draft is being sent, by this page or an earlier one. */
  isSending: boolean;
  /** The parts of the draft that a command replaced while there was no page; can be undone. */
  replaced?: ReplacedDraft;
}

export interface ReplacedDraft {
  /** Their values before the command. */
  parts: Partial<Draft>;
  /** Whether it was composed but never sent. */
  isUnsent: boolean;
}
