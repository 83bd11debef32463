import { runs } from '../data/blocks';
import { workOf } from '../data/times';
import type { Model, Track } from '../model';
import type { State } from '../state';
import type { Light } from './lane';

/** Finds what is lit in a timeline: the critical path, blocks of some statements, or those of both; undefined where all is. */
export function lightOf(model: Model, track: Track, state: Readonly<State>): Light | undefined {
  const lit = model.blocks ? state.lit : undefined;
  if (!state.critical && !lit) return undefined;
  const { line } = track;
  const blocks = new Uint8Array(line.end.length);
  const worked = new Float64Array(line.end.length);
  for (let block = 0; block < blocks.length; block++) {
    let isLit = !state.critical || track.onPath[block] === 1;
    if (isLit && lit) {
      isLit = false;
      for (const statement of lit) isLit ||= runs(model.blocks!, block, statement);
    }
    const before = block % line.steps === 0 ? 0 : worked[block - 1]!;
    blocks[block] = isLit ? 1 : 0;
    worked[block] = before + (isLit ? workOf(line, block) : 0);
  }
  return { blocks, worked, statements: lit };
}
