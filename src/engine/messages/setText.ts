import * as l10n from '@vscode/l10n';
import type { SetProblem } from '../operations/imageSet.ts';

/** Says why a set can't be made as it is written. */
export function setProblemText(problem: SetProblem): string {
  switch (problem.of) {
    case 'empty':
      return l10n.t('The set has no images. Write one a line, as "name: prompt", or as a table.');
    case 'many':
      return l10n.t('Line {0}: A set has at most {1} images.', problem.line, problem.most);
    case 'prompt':
      return l10n.t('Line {0}: "{1}" has no prompt.', problem.line, problem.name);
    case 'name':
      return l10n.t(
        'Line {0}: "{1}" can\'t be the name of a PNG, JPEG, or WebP file.',
        problem.line,
        problem.name,
      );
    case 'duplicate':
      return l10n.t('Line {0}: "{1}" is already in line {2}.', problem.line, problem.name, problem.first);
  }
}
