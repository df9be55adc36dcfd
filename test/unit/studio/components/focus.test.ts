import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TargetedFocusEvent } from 'preact';
import * as v from 'valibot';
import { returnFocusFromDialogs, useKeptFocus } from '../../../../src/studio/components/focus.ts';
import { runHook } from '../runHook.ts';

describe('the focus', () => {
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

/** A place that can take the focus, or contains a button that can. */
class Place {
  readonly kind: 'tile' | 'group';
  isConnected = true;
  isDisabled = false;
  readonly button: Place | undefined;
  /** The order of the page. */
  readonly page: Place[];

  constructor(kind: 'tile' | 'group', page: Place[], button?: Place) {
    this.kind = kind;
    this.page = page;
    this.button = button;
  }

  matches(selector: string): boolean {
    return selector === ':disabled' ? this.isDisabled : selector === '[tabindex]' && this.kind === 'tile';
  }

  contains(other: Place): boolean {
    return other === this || other === this.button;
  }

  compareDocumentPosition(other: Place): number {
    const around = this.page.find(({ button }) => button === this);
    return this.page.indexOf(other) <= this.page.indexOf(around ?? this) ? 2 : 4;
  }

  querySelector(selector: string): Place | null {
    assert.equal(selector, 'button:enabled');
    return this.button ?? null;
  }

  focus(): void {
    Object.assign(globalThis.document, { activeElement: this });
  }
}

const areaElement = v.custom<HTMLElement>(() => true);
const focusEvent = v.custom<TargetedFocusEvent<HTMLElement>>(() => true);

/** A page of so many tiles, and of groups with a button each, in which the focus is kept. */
function openArea(tiles: number, groups: number) {
  const page: Place[] = [];
  const body = {};
  const window = new EventTarget();
  const document = {
    body,
    activeElement: body as unknown,
    isInFront: true,
    hasFocus: () => document.isInFront,
  };
  for (let tile = 0; tile < tiles; tile++) {
    page.push(new Place('tile', page));
  }
  for (let group = 0; group < groups; group++) {
    page.push(new Place('group', page, new Place('tile', page)));
  }
  const area = {
    querySelectorAll: (selector: string) =>
      page.filter((place) => place.isConnected && selector === `.${place.kind}`),
  };
  const places = ['.tile', '.group'];
  const hook = runHook(() => useKeptFocus({ current: v.parse(areaElement, area) }, places), {
    document,
    window,
    HTMLElement: Place,
    Node: { DOCUMENT_POSITION_PRECEDING: 2 },
  });
  const focus = (target: Place | undefined): void => {
    target?.focus();
    hook.current(v.parse(focusEvent, { target, currentTarget: area }));
  };
  /** Takes places out of the page; the body has the focus then. */
  const remove = (...gone: (Place | undefined)[]): void => {
    for (const place of gone) {
      Object.assign(place ?? {}, { isConnected: false });
    }
    document.activeElement = body;
    hook.update();
  };
  return { page, document, window, hook, focus, remove };
}

describe('the focus of a part of the page', () => {
  it('goes to what comes in the place of what had it, or else to the last that is left', () => {
    const { page, document, focus, remove } = openArea(4, 0);
    const [first, second, third, last] = page;
    focus(second);
    remove(second);
    assert.equal(document.activeElement, third);
    focus(third);
    remove(last, third);
    assert.equal(document.activeElement, first);
    focus(first);
    remove(first);
    assert.equal(document.activeElement, document.body);
  });

  it('goes to a button of the next choice where nothing is left of the first', () => {
    const { page, document, focus, remove } = openArea(1, 2);
    const [tile, one, other] = page;
    focus(tile);
    remove(tile);
    assert.equal(document.activeElement, one?.button);
    focus(other?.button);
    remove();
    assert.equal(document.activeElement, document.body, 'It is still there.');
    other?.button?.focus();
    focus(other?.button);
    Object.assign(other?.button ?? {}, { isConnected: false });
    remove(one);
    assert.equal(document.activeElement, other?.button);
  });

  it('is not taken from elsewhere, and comes back once the window is in front again', () => {
    const { page, document, window, focus, hook } = openArea(3, 0);
    const [first, second, third] = page;
    const elsewhere = {};
    focus(first);
    Object.assign(first ?? {}, { isConnected: false });
    document.activeElement = elsewhere;
    hook.update();
    assert.equal(document.activeElement, elsewhere);
    document.activeElement = document.body;
    document.isInFront = false;
    hook.update();
    assert.equal(document.activeElement, document.body);
    document.isInFront = true;
    window.dispatchEvent(new Event('focus'));
    assert.equal(document.activeElement, second);
    // It is given once.
    document.activeElement = document.body;
    window.dispatchEvent(new Event('focus'));
    assert.equal(document.activeElement, document.body);
    focus(third);
    Object.assign(third ?? {}, { isConnected: false });
    document.activeElement = document.body;
    hook.end();
    window.dispatchEvent(new Event('focus'));
    assert.equal(document.activeElement, document.body);
  });
});
