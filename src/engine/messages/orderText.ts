import * as l10n from '@vscode/l10n';
import type { OrderProblem } from '../operations/order.ts';

/**
 * Says why an order can't be sent.
 *
 * @param model its name
 * @param models the setting or variable that holds the entries of models
 */
export function orderProblemText(problem: OrderProblem, model: string, models: string): string {
  switch (problem.of) {
    case 'prompt':
      return l10n.t('The prompt is empty.');
    case 'inputs':
      return l10n.t(
        '{0} takes at most {1} input images. If it supports more, set "inputs" in its entry in {2}.',
        model,
        problem.most,
        models,
      );
    case 'mask':
      return l10n.t("{0} doesn't support masks.", model);
    case 'count':
      return l10n.t(
        '{0} generates at most {1} images in one run. If it supports more, set "maxCount" in its entry in {2}.',
        model,
        problem.most,
        models,
      );
    case 'run':
      return l10n.t('One run generates at most {0} images.', problem.most);
    case 'twoBackgrounds':
      return l10n.t('On two backgrounds, images are generated one at a time.');
    case 'fileName':
      return l10n.t(
        'Limner saves PNG, JPEG, and WebP files, but the file name asks for {0}.',
        problem.extension,
      );
    case 'finish':
      return problem.message;
  }
}
