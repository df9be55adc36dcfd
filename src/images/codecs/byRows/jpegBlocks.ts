import type { Pixels } from '../pixels.ts';
import { cosineTransform, leftScales } from './cosineTransform.ts';
import { type Component, zigzag } from './jpegHead.ts';

const side = 8;
/** More than the greatest coefficient, of which eight bits of brightness have at most 1024. */
const offset = 1 << 15;
const order = Uint8Array.from(zigzag);

/**
 * Takes a block.
 *
 * @param coefficients in the order of files, valid only until the next block
 * @param component the index of its component
 */
export type BlockVisitor = (coefficients: Int16Array, component: number) => void;

/** The blocks of an image as JPEG files hold them: frequencies, as whole multiples of a component's steps. */
export class JpegBlocks {
  readonly #pixels: Pixels;
  readonly #components: readonly Component[];
  /** By what each coefficient is multiplied, in the order of rows, by component. */
  readonly #scales: readonly Float32Array[];
  /** The size of a unit, in pixels. */
  readonly #unitWidth: number;
  readonly #unitHeight: number;
  /** The number of pixels in a row, filled up to whole units. */
  readonly #stride: number;
  /** The levels of each component in a row of units, around 0. Those of fewer blocks are at every second place or so. */
  readonly #planes: readonly Float32Array[];
  readonly #block = new Float32Array(side * side);
  readonly #coefficients = new Int16Array(side * side);

  constructor(pixels: Pixels, components: readonly Component[]) {
    this.#pixels = pixels;
    this.#components = components;
    this.#scales = components.map(({ steps }) =>
      Float32Array.from(steps, (step, at) => 1 / (step * (leftScales[at] ?? 1))),
    );
    this.#unitWidth = side * Math.max(...components.map(({ across }) => across));
    this.#unitHeight = side * Math.max(...components.map(({ down }) => down));
    this.#stride = Math.ceil(pixels.width / this.#unitWidth) * this.#unitWidth;
    this.#planes = components.map(() => new Float32Array(this.#stride * this.#unitHeight));
  }

  /** Visits the blocks of each unit in the order of files, in every so manieth row of units. */
  forEach(visit: BlockVisitor, every = 1): void {
    for (let top = 0; top < this.#pixels.height; top += every * this.#unitHeight) {
      for (let y = 0; y < this.#unitHeight; y++) {
        this.#readRow(Math.min(this.#pixels.height - 1, top + y), y * this.#stride);
      }
      for (let left = 0; left < this.#stride; left += this.#unitWidth) {
        this.#visitUnit(left, visit);
      }
    }
  }

  /** Reads a row of pixels as brightness and two colours. */
  #readRow(y: number, start: number): void {
    const { width, rgba } = this.#pixels;
    const [brightness, bluish, reddish] = this.#planes;
    if (!brightness || !bluish || !reddish) {
      return;
    }
    for (let x = 0, at = y * width * 4, to = start; x < width; x++, at += 4, to++) {
      const red = rgba[at] ?? 0;
      const green = rgba[at + 1] ?? 0;
      const blue = rgba[at + 2] ?? 0;
      brightness[to] = 0.299 * red + 0.587 * green + 0.114 * blue - 128;
      bluish[to] = -0.168736 * red - 0.331264 * green + 0.5 * blue;
      reddish[to] = 0.5 * red - 0.418688 * green - 0.081312 * blue;
    }
    for (const plane of this.#planes) {
      plane.fill(plane[start + width - 1] ?? 0, start + width, start + this.#stride);
    }
  }

  #visitUnit(left: number, visit: BlockVisitor): void {
    for (let index = 0; index < this.#components.length; index++) {
      const { across = 1, down = 1 } = this.#components[index] ?? {};
      // How many pixels of the image are one of the component, where it has a single block.
      const wide = this.#unitWidth / side / across;
      const high = this.#unitHeight / side / down;
      for (let row = 0; row < down; row++) {
        for (let column = 0; column < across; column++) {
          this.#readBlock(index, row * side * this.#stride + left + column * side, wide, high);
          cosineTransform(this.#block);
          this.#quantise(index);
          visit(this.#coefficients, index);
        }
      }
    }
  }

  #readBlock(component: number, start: number, wide: number, high: number): void {
    const plane = this.#planes[component];
    const [block, stride] = [this.#block, this.#stride];
    if (!plane) {
      return;
    }
    if (wide === 1 && high === 1) {
      for (let y = 0, at = start; y < side; y++, at += stride) {
        for (let x = 0; x < side; x++) {
          block[y * side + x] = plane[at + x] ?? 0;
        }
      }
      return;
    }
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        let sum = 0;
        for (let down = 0, at = start + y * high * stride + x * wide; down < high; down++, at += stride) {
          for (let aside = 0; aside < wide; aside++) {
            sum += plane[at + aside] ?? 0;
          }
        }
        block[y * side + x] = sum / (wide * high);
      }
    }
  }

  #quantise(component: number): void {
    const scales = this.#scales[component];
    const [block, coefficients] = [this.#block, this.#coefficients];
    if (!scales) {
      return;
    }
    for (let at = 0; at < coefficients.length; at++) {
      const position = order[at] ?? 0;
      // Positive numbers are rounded without asking for the sign.
      const value = (block[position] ?? 0) * (scales[position] ?? 0) + offset + 0.5;
      coefficients[at] = (value | 0) - offset;
    }
  }
}
