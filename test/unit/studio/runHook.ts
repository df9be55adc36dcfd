import { h, render } from 'preact';
import { act } from 'preact/test-utils';
import * as v from 'valibot';

/** What a hook returned last, in a component that shows nothing. */
export interface RunHook<Result> {
  readonly current: Result;
  /** Renders the component again, unless a change of its state does. */
  update: (change?: () => void) => void;
  /** Takes the component out of the page. */
  end: () => void;
}

const parent = v.custom<HTMLElement>(() => true);

/** Runs a hook in a page with what is given of `document`, `window` and other names. */
export function runHook<Result>(hook: () => Result, page: object = {}): RunHook<Result> {
  Object.assign(globalThis, { document: {}, ...page });
  const element = v.parse(parent, { nodeType: 1, childNodes: [], firstChild: null });
  let last: { result: Result } | undefined;
  const Component = (): null => {
    last = { result: hook() };
    return null;
  };
  const show = (): void => render(h(Component, {}), element);
  void act(show);
  return {
    get current() {
      if (!last) {
        throw new Error('It was not rendered.');
      }
      return last.result;
    },
    update: (change = show) => void act(change),
    end: () => void act(() => render(null, element)),
  };
}
