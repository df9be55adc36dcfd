import * as vscode from 'vscode';
import { describeError } from '../errorText.ts';
import type { Limner } from '../limner.ts';
import { isRefusal } from '../refusal.ts';
import { plainText } from '../plainText.ts';
import type { StudioFailure } from './answerRequest.ts';

/** An error as the studio says it; a question that was dismissed is none, and has no words. */
export async function describeFailure(limner: Limner, error: unknown): Promise<StudioFailure> {
  if (error instanceof vscode.CancellationError) {
    return { message: '' };
  }
  if (isRefusal(error)) {
    return { message: plainText(error.message) };
  }
  const { isLimnerError } = await limner.engine.module();
  if (isLimnerError(error)) {
    return { message: describeError(error.toRecord()).message };
  }
  limner.log.warn(`The studio could not do something: ${String(error)}`);
  return { message: plainText(error instanceof Error ? error.message : String(error)) };
}
