import { hashInteger } from '../http/random.ts';

/** Returns smooth noise at a point, from 0 to 1. */
export type Noise = (x: number, y: number) => number;

const SIDE = 256;

/** Returns value noise on a lattice that repeats every 256 units. */
export function valueNoise(seed: number): Noise {
  const lattice = new Float32Array(SIDE * SIDE);
  for (let index = 0; index < lattice.length; index++) {
    lattice[index] = hashInteger(seed + Math.imul(index, 0x9e3779b9)) / 0x1_0000_0000;
  }
  const at = (column: number, row: number): number =>
    lattice[(row & (SIDE - 1)) * SIDE + (column & (SIDE - 1))] ?? 0;
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const across = ease(x - column);
    const down = ease(y - row);
    const top = at(column, row) + (at(column + 1, row) - at(column, row)) * across;
    const bottom = at(column, row + 1) + (at(column + 1, row + 1) - at(column, row + 1)) * across;
    return top + (bottom - top) * down;
  };
}

/** Adds octaves of a noise, each half as strong and twice as fine as the one before. Results range from 0 to 1. */
export function fractal(noise: Noise, octaves: number): Noise {
  return (x, y) => {
    let sum = 0;
    let strength = 1;
    let total = 0;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave++) {
      sum += strength * noise(x * scale + octave * 17.3, y * scale - octave * 9.7);
      total += strength;
      strength /= 2;
      scale *= 2;
    }
    return sum / total;
  };
}

function ease(value: number): number {
  return value * value * (3 - 2 * value);
}
