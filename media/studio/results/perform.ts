import type { Parts } from '../parts.ts';
import { copyImage } from './copyImage.ts';
import type { ResultAction } from './resultActions.ts';
import { findResult, neighbourOf, referenceTo, resultsOf } from './resultList.ts';
import type { Result } from './resultList.ts';
import { tasksOf } from '../work.ts';

/** Does what a person asked for with a picture; how it failed is shown in the panel. */
export async function perform({ work, host }: Parts, action: ResultAction, result: Result): Promise<void> {
  const reference = referenceTo(result);
  const { task } = reference;
  const begin = (id: string | null): void => {
    if (id !== null) {
      work.begun(id);
    }
  };
  await work.attempt(async () => {
    switch (action) {
      case 'star':
        await host.ask('star', { ...reference, starred: !result.image.starred });
        break;
      case 'useAsInput':
        work.addInputs([await host.ask('useAsInput', reference)]);
        break;
      case 'variations':
        begin(await host.ask('variations', { task }));
        break;
      case 'runAgain':
        begin(await host.ask('taskAction', { task, action: 'runAgain' }));
        break;
      case 'copyPrompt':
        await host.ask('copyPrompt', { task });
        break;
      case 'copyImage':
        await copyImage(result.url);
        break;
      case 'discard':
        await discard({ work, host }, result);
        break;
      default:
        await host.ask(action, reference);
    }
  });
}

/** The next picture takes the place of one that is shown large. */
async function discard({ work, host }: Parts, result: Result): Promise<void> {
  const results = resultsOf(tasksOf(work.state));
  const reference = referenceTo(result);
  const before = work.state.draft.view.selected;
  if (findResult([result], before)) {
    const next = neighbourOf(results, result, 1) ?? neighbourOf(results, result, -1);
    work.look({ selected: next ? referenceTo(next) : null, compare: null });
  }
  try {
    await host.ask('discard', reference);
  } catch (error) {
    work.look({ selected: before });
    throw error;
  }
}
