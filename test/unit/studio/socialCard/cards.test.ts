import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { draft } from '../../../../src/studio/protocol/draft.ts';
import { cardOn, changeCard } from '../../../../src/studio/socialCard/cards.ts';
import { opened } from '../openedStore.ts';
import { aStudioImage, aStudioTask } from '../studioTasks.ts';

const backgroundOf = (id: string, title: string, siteName = ''): Parameters<typeof cardOn>[0] => ({
  task: aStudioTask({ id, socialCard: { page: 'a.md', title, siteName } }),
  image: aStudioImage(),
});

describe('the card on a background', () => {
  it('has the words of its page at first, at the side where they begin', () => {
    const english = cardOn(backgroundOf('1', 'Rye bread', 'Bakery'), []);
    assert.deepEqual(
      [english.title, english.siteName, english.place],
      ['Rye bread', 'Bakery', { x: 0, y: 1 }],
    );
    assert.deepEqual(cardOn(backgroundOf('1', 'לחם'), []).place, { x: 1, y: 1 });
  });

  it('keeps what was changed, and the next one begins with its style and site name, not with its title', () => {
    const { store } = opened({});
    const cards = (): ReturnType<typeof opened>['store']['state']['draft']['view']['cards'] =>
      store.state.draft.view.cards;
    const bread = backgroundOf('1', 'Rye bread');
    changeCard(store, cardOn(bread, cards()), { title: 'Rye', siteName: 'Bakery', font: 'serif' });
    changeCard(store, cardOn(bread, cards()), { color: '#ffeedd', place: { x: 0.5, y: 0 } });
    assert.equal(cards().length, 1);
    const { title, font, color } = cardOn(bread, cards());
    assert.deepEqual([title, font, color], ['Rye', 'serif', '#ffeedd']);
    const next = cardOn(backgroundOf('2', 'Wheat'), cards());
    assert.deepEqual(
      [next.task, next.title, next.siteName, next.font, next.color],
      ['2', 'Wheat', 'Bakery', 'serif', '#ffeedd'],
    );
    assert.deepEqual(next.place, { x: 0.5, y: 0 });
    assert.equal(cardOn(backgroundOf('2', 'Wheat', 'Mill'), cards()).siteName, 'Mill');
    assert.deepEqual(v.parse(draft, store.state.draft), store.state.draft);
  });

  it('is covered by its shade in part, wholly or not at all', () => {
    const { store } = opened({});
    for (const [strength, isPossible] of [
      [0, true],
      [0.5, true],
      [1, true],
      [1.01, false],
      [-0.01, false],
    ] as const) {
      changeCard(store, cardOn(backgroundOf('1', 'A'), []), { strength });
      assert.equal(v.is(draft, store.state.draft), isPossible, String(strength));
    }
  });

  it('is remembered for so many that the draft stays small', () => {
    const { store } = opened({});
    for (let number = 0; number < 60; number++) {
      const { cards } = store.state.draft.view;
      changeCard(store, cardOn(backgroundOf(String(number), 'A'), cards), { strength: 0.5 });
    }
    const { cards } = store.state.draft.view;
    assert.equal(cards.length, 50);
    assert.equal(cards.at(-1)?.task, '59');
  });
});
