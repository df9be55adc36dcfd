import { marble, shapes } from './abstracts.ts';
import { city } from './city.ts';
import { dunes, forest, mountains, sea } from './landscapes.ts';
import type { Random } from '../random.ts';
import type { SceneContext } from './sceneContext.ts';
import { space } from './space.ts';

type Scene = (context: SceneContext) => void;

/** Returns the scene that the prompt's words name, or a random one. */
export function chooseScene(words: readonly string[], random: Random): Scene {
  const byChance = random.pick<Scene>([mountains, mountains, sea, dunes, forest]);
  for (const word of words) {
    const scene = SCENES.get(word) ?? SCENES.get(word.replace(/s$/u, ''));
    if (scene !== undefined) {
      return scene;
    }
  }
  return byChance;
}

const SCENES: ReadonlyMap<string, Scene> = new Map<string, Scene>([
  ['mountain', mountains],
  ['alp', mountains],
  ['hill', mountains],
  ['valley', mountains],
  ['lake', mountains],
  ['fjord', mountains],
  ['landscape', mountains],
  ['sea', sea],
  ['ocean', sea],
  ['beach', sea],
  ['coast', sea],
  ['harbour', sea],
  ['harbor', sea],
  ['boat', sea],
  ['ship', sea],
  ['sailboat', sea],
  ['lighthouse', sea],
  ['wave', sea],
  ['island', sea],
  ['desert', dunes],
  ['dune', dunes],
  ['sand', dunes],
  ['forest', forest],
  ['wood', forest],
  ['jungle', forest],
  ['city', city],
  ['cities', city],
  ['skyline', city],
  ['town', city],
  ['street', city],
  ['building', city],
  ['skyscraper', city],
  ['space', space],
  ['planet', space],
  ['galaxy', space],
  ['nebula', space],
  ['cosmos', space],
  ['universe', space],
  ['icon', shapes],
  ['logo', shapes],
  ['abstract', shapes],
  ['geometric', shapes],
  ['pattern', shapes],
  ['poster', shapes],
  ['texture', marble],
  ['marble', marble],
  ['background', marble],
  ['wallpaper', marble],
  ['gradient', marble],
  ['fluid', marble],
]);
