import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns a component that shows nothing until its code is there, which is loaded while the page has nothing else to do. */
export function late<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let loading: Promise<FunctionComponent<P>> | undefined;
  let Loaded: FunctionComponent<P> | undefined;
  const loaded = (): Promise<FunctionComponent<P>> =>
    (loading ??= load().then((component) => (Loaded = component)));
  requestIdleCallback(() => void loaded());
  return function Late(props) {
    const [, setLoaded] = useState(Loaded !== undefined);
    useEffect(() => {
      if (!Loaded) {
        void loaded().then(() => setLoaded(true));
      }
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
