import type { Card } from '../protocol/draft.ts';
import { referenceTo, type Result, isSame } from '../results/model/resultList.ts';
import type { StudioStore } from '../store/studioStore.ts';
import { isRightToLeft } from './wrap.ts';

/** How many cards are remembered. */
const most = 50;

/** Returns what stands on an image: as it was left, or else the words of its page, in the style of the last card. */
export function cardOn({ task, image }: Pick<Result, 'task' | 'image'>, cards: readonly Card[]): Card {
  const reference = referenceTo({ task, image });
  const known = cards.find((card) => isSame(card, reference));
  if (known) {
    return known;
  }
  const { title = '', siteName = '' } = task.socialCard ?? {};
  const last = cards.at(-1);
  return {
    font: 'sans',
    color: '#ffffff',
    shade: '#000000',
    strength: 0,
    ...last,
    place: last?.place ?? { x: isRightToLeft(title) ? 1 : 0, y: 1 },
    ...reference,
    title,
    siteName: siteName || (last?.siteName ?? ''),
  };
}

/** Changes what stands on an image. */
export function changeCard(store: StudioStore, card: Card, changes: Partial<Card>): void {
  const others = store.state.draft.view.cards.filter((other) => !isSame(other, card));
  store.updateView({ cards: [...others, { ...card, ...changes }].slice(-most) });
}
