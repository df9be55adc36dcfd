import { describe, it } from 'node:test';

type Part = (name: string, act: () => void | Promise<void>) => void;

/** How a story is getting on. */
interface Course {
  /** The part at which it broke off. */
  broken?: string | undefined;
  /** The story that it is a part of. */
  outer: Course | undefined;
}

/** The story whose parts are being described. */
let described: Course | undefined;

/**
 * Describes scenarios that tell one story: each begins where the one before it ended. After the first that fails, the
 * others are skipped, and say so, also those of stories in it.
 *
 * @param tell is given what takes the place of `it`
 */
export function story(name: string, tell: (part: Part) => void): void {
  const course: Course = { outer: described };
  const part: Part = (partName, act) => {
    void it(partName, async (context) => {
      const broken = course.broken ?? course.outer?.broken;
      if (broken !== undefined) {
        context.skip(`the story broke off: ${broken}`);
        return;
      }
      // Until it has got to its end in time: one that takes too long throws nothing.
      course.broken = partName;
      await act();
      if (!context.signal.aborted) {
        course.broken = undefined;
      }
    });
  };
  void describe(`${name} (one story)`, () => {
    described = course;
    tell(part);
    described = course.outer;
  });
}
