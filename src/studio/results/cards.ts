import type { Card } from '../protocol/draft.ts';
import { referenceTo, type Result, isSame } from '../store/resultList.ts';
import type { StudioStore } from '../store/studioStore.ts';
import { isRightToLeft } from './wrap.ts';

/** Most remembered cards. */
const most = 50;

/** Returns the card on an image: as the user left it, or else the page's text in the style of the last card. */
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

export function changeCard(store: StudioStore, card: Card, changes: Partial<Card>): void {
  const others = store.state.draft.view.cards.filter((other) => !isSame(other, card));
  const changed = { ...card, ...changes };
  const isTurned = isRightToLeft(changed.title) !== isRightToLeft(card.title);
  // Text at the start of a line stays there.
  const x = isTurned ? ([1, 0.5, 0] as const)[changed.place.x * 2] : undefined;
  const place = { ...changed.place, ...(x !== undefined && { x }) };
  store.updateView({ cards: [...others, { ...changed, place }].slice(-most) });
}
