import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fits, sizeOrNone, callStyleSettings } from '../../common/requestValues.ts';
import { allMultiples } from '../../images/formats/dimensions.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import { refuse } from '../ask/refusal.ts';

const location = v.union([
  v.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
  v.pipe(v.string(), v.nonEmpty()),
]);

const paintArguments = v.object({
  prompt: v.optional(v.string()),
  model: v.optional(v.string()),
  size: v.optional(v.pipe(v.string(), v.regex(sizeOrNone, 'Enter a size like 1024x1024.'))),
  quality: v.optional(v.string()),
  n: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  callStyle: v.optional(v.picklist(callStyleSettings)),
  folder: v.optional(location),
  fileName: v.optional(v.pipe(v.string(), v.nonEmpty())),
  fit: v.optional(v.picklist(fits)),
  fill: v.optional(v.string()),
  focus: v.optional(v.object({ x: v.number(), y: v.number() })),
  trim: v.optional(v.object({ margin: v.number(), unit: v.picklist(['px', '%']) })),
  multiples: v.optional(v.picklist(allMultiples)),
  fileQuality: v.optional(v.number()),
  background: v.optional(v.literal('transparent')),
  twoGrounds: v.optional(v.boolean()),
  embedPrompt: v.optional(v.boolean()),
  /** Name of a style; empty for none. */
  style: v.optional(v.string()),
  mask: v.optional(location),
  images: v.optional(v.array(location)),
});

/**
 * Arguments of `limner.generate` and `limner.edit`; with a `prompt` nothing is asked. Files and folders are URIs, or
 * paths that are absolute or relative to the workspace folder, since key bindings are JSON.
 */
export type PaintArguments = v.InferOutput<typeof paintArguments>;

/**
 * Reads what a menu, a key binding or another program passed; unknown properties are ignored.
 *
 * @throws LimnerError `invalid_request` for a value of a wrong type
 */
export function readArguments(value: unknown): PaintArguments {
  const parsed = v.safeParse(paintArguments, value ?? {});
  if (parsed.success) {
    return parsed.output;
  }
  const [issue] = parsed.issues;
  throw refuse(
    'invalid_request',
    l10n.t('Invalid argument "{0}": {1}', v.getDotPath(issue) ?? 'arguments', issue.message),
  );
}

/** Returns the arguments that finish images as a request does. */
export function argumentsOf({ finish, embedPrompt }: TaskRequest): PaintArguments {
  const { cutout, size, fit, trim, multiples, encoding } = finish ?? {};
  return {
    fit: (size ?? multiples) !== undefined && fit ? fit.by : 'off',
    ...(fit?.by === 'pad' && { fill: fit.fill }),
    ...(fit?.by === 'crop' && fit.focus && { focus: fit.focus }),
    ...(cutout && { background: 'transparent' }),
    ...(cutout && cutout.by !== 'alpha' && { twoGrounds: cutout.by === 'grounds' }),
    ...(trim && { trim }),
    ...(multiples !== undefined && { multiples }),
    ...(encoding && 'quality' in encoding && { fileQuality: encoding.quality }),
    embedPrompt: embedPrompt === true,
  };
}

/**
 * Returns the files that a command was given, as URIs or paths: the selection that a menu passed, else the first
 * argument.
 */
export function passedFiles(first: unknown, second: unknown): (vscode.Uri | string)[] {
  const selected = Array.isArray(second)
    ? (second as unknown[]).filter((item) => item instanceof vscode.Uri)
    : [];
  if (selected.length > 0) {
    return selected;
  }
  return first instanceof vscode.Uri || typeof first === 'string' ? [first] : [];
}

/** Returns the file or folder that an argument names; relative paths begin at `base`. */
export function resolveLocation(value: vscode.Uri | string, base: vscode.Uri | undefined): vscode.Uri {
  if (value instanceof vscode.Uri) {
    return value;
  }
  // A single letter is a Windows drive, not a scheme.
  if (/^[a-z][a-z0-9+.-]+:/i.test(value)) {
    return vscode.Uri.parse(value, true);
  }
  return base === undefined || /^(?:[/\\]|[a-z]:)/i.test(value)
    ? vscode.Uri.file(value)
    : vscode.Uri.joinPath(base, value);
}
