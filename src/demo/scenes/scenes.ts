// Room: what the demo service can paint.
// Never: HTTP, chance that isn't drawn from a seed.

import { marble, shapes } from './abstracts.ts';
import { city } from './city.ts';
import { dunes, forest, mountains, sea } from './landscapes.ts';
import type { Random } from '../random.ts';
import { firstNamed, type SceneContext } from './sceneContext.ts';
import { space } from './space.ts';

type Scene = (context: SceneContext) => void;

/** The scenes with the words for them. */
const SCENES = [
  [mountains, 'mountain alp hill valley lake fjord landscape'],
  [sea, 'sea ocean beach coast harbour harbor boat ship sailboat lighthouse wave island'],
  [dunes, 'desert dune sand'],
  [forest, 'forest wood jungle'],
  [city, 'city cities skyline town street building skyscraper'],
  [space, 'space planet galaxy nebula cosmos universe'],
  [shapes, 'icon logo abstract geometric pattern poster'],
  [marble, 'texture marble background wallpaper gradient fluid'],
] as const;

/** Returns the scene that the prompt's words name, or a random one. */
export function chooseScene(words: readonly string[], random: Random): Scene {
  const byChance = random.pick<Scene>([mountains, mountains, sea, dunes, forest]);
  return firstNamed<Scene>(words, SCENES) ?? byChance;
}
