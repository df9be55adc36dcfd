import type { Draft } from '../protocol/draft.ts';

const most = 50;

export function rememberPrompt(prompts: readonly string[], prompt: string): string[] {
  return [prompt, ...prompts.filter((other) => other !== prompt)].slice(0, most);
}

/**
 * Steps through the submitted prompts. A new text joins them, so that it can be found again; after the newest comes an
 * empty prompt.
 */
export function stepThroughPrompts(
  { prompt, prompts }: Pick<Draft, 'prompt' | 'prompts'>,
  to: 'older' | 'newer',
): Pick<Draft, 'prompt' | 'prompts'> {
  const isNew = prompt.trim() !== '' && !prompts.includes(prompt);
  const known = isNew ? rememberPrompt(prompts, prompt) : prompts;
  const place = known.indexOf(prompt) + (to === 'older' ? 1 : -1);
  if (place >= known.length) {
    return { prompt, prompts: known };
  }
  return { prompt: known[place] ?? '', prompts: known };
}
