import { describe, it } from 'node:test';

type Part = (name: string, act: () => void | Promise<void>) => void;

/**
 * Describes scenarios that tell one story: each begins where the one before it ended. After the first that fails, the
 * others are skipped, and say so.
 *
 * @param tell is given what takes the place of `it`
 */
export function story(name: string, tell: (part: Part) => void): void {
  let broken: string | undefined;
  const part: Part = (partName, act) => {
    void it(partName, async (context) => {
      if (broken !== undefined) {
        context.skip(`the story broke off: ${broken}`);
        return;
      }
      // Until it has got to its end: one that takes too long throws nothing.
      broken = partName;
      await act();
      broken = undefined;
    });
  };
  void describe(`${name} (one story)`, () => tell(part));
}
