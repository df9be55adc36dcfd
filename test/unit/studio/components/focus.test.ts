import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TargetedKeyboardEvent } from 'preact';
import * as v from 'valibot';
import { moveFocus, returnFocusFromDialogs } from '../../../../src/studio/components/focus.ts';

const keyboardEvent = v.custom<TargetedKeyboardEvent<HTMLElement>>(() => true);

describe('the focus', () => {
  it('moves along a row or a column by its arrow keys, around its ends, and to them', () => {
    const page: { activeElement: unknown } = { activeElement: null };
    Object.assign(globalThis, { document: page });
    const buttons = [0, 1, 2].map((index) => ({
      index,
      focus() {
        page.activeElement = this;
      },
    }));
    let kept = 0;
    const press = (key: string, along: 'row' | 'column'): number | undefined => {
      const currentTarget = { querySelectorAll: () => buttons };
      const event = { key, currentTarget, preventDefault: () => kept++ };
      const next = moveFocus(v.parse(keyboardEvent, event), along);
      assert.ok(next === undefined || page.activeElement === buttons[next]);
      return next;
    };
    buttons[0]?.focus();
    const row = [
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowLeft',
      'ArrowLeft',
      'Home',
      'End',
      'ArrowDown',
    ];
    assert.deepEqual(
      row.map((key) => press(key, 'row')),
      [1, 2, 0, 2, 1, 0, 2, undefined],
    );
    assert.equal(kept, 7);
    const column = ['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'Tab'];
    assert.deepEqual(
      column.map((key) => press(key, 'column')),
      [1, 2, 0, undefined, undefined],
    );
  });

  it('returns from a dialog of VS Code to where it was, unless it is somewhere else', () => {
    class Page extends EventTarget {
      readonly body = {};
      activeElement: object = this.body;
    }
    class FakeElement extends EventTarget {
      focused = 0;
      focus(): void {
        this.focused++;
      }
    }
    const [page, window, button] = [new Page(), new EventTarget(), new FakeElement()];
    Object.assign(globalThis, { document: page, window, HTMLElement: FakeElement });
    const send = (type: string, target: EventTarget | null = null): boolean =>
      page.dispatchEvent(Object.defineProperty(new Event(type), 'target', { value: target }));
    returnFocusFromDialogs();
    window.dispatchEvent(new Event('focus'));
    send('focusout', button);
    window.dispatchEvent(new Event('focus'));
    assert.equal(button.focused, 1);
    page.activeElement = new FakeElement();
    window.dispatchEvent(new Event('focus'));
    assert.equal(button.focused, 1);
    page.activeElement = page.body;
    send('focusin');
    window.dispatchEvent(new Event('focus'));
    assert.equal(button.focused, 1);
  });
});
