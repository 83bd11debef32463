import { beginOf, waitOf, workOf } from '../data/times';
import { duration, moment } from '../chart/overlay';
import { spanOf, type Hit } from '../chart/spans';
import { NONE } from '../data/blocks';
import type { Model, Track } from '../model';
import type { Picked } from '../state';
import { percent, plural } from './format';
import { usesOfTask, wordText } from './words';

/** Names a statement: its letter and text. */
export function statementText(model: Model, statement: number): string {
  const { letter, text } = model.statements[statement]!;
  return `${letter}: ${text}`;
}

/** Names the place of a block: its processor and step. */
export function placeText(model: Model, block: number): string {
  const steps = model.tracks[0]?.line.steps ?? model.program!.plan.steps;
  return `processor ${Math.floor(block / steps)}, ${model.stepName} ${block % steps}`;
}

/** Describes a block or a task in a sentence. */
export function describe(model: Model, track: Track, picked: Picked): string {
  const { block, ordinal } = picked;
  const [from, to] = spanOf(model, track, picked);
  const place = placeText(model, block);
  const when = `from ${moment(model, from, to - from)} for ${duration(model, to - from)}`;
  if (ordinal !== undefined) {
    const uses = usesOfTask(model, { block, ordinal });
    const word = uses.writes ? wordText(model, uses.writes) : `number ${uses.number}`;
    return `Task ${ordinal + 1} of ${place}: ${statementText(model, uses.statement)}, ${word}, ${when}.`;
  }
  const tasks = model.blocks ? `${plural(model.blocks.tasks[block]!, 'task')}, ` : '';
  const dominant = model.blocks?.dominant[block] ?? NONE;
  const most = dominant === NONE ? '' : `, mostly ${statementText(model, dominant)}`;
  const wait = waitOf(track.line, block);
  return `${place[0]!.toUpperCase()}${place.slice(1)}: ${tasks}${when}${wait > 0 ? `, of which it waits ${duration(model, wait)}` : ''}${most}.`;
}

/** Describes the critical path in a sentence. */
export function describePath(model: Model, { line, path, name }: Track): string {
  const crossings = path.filter((block, at) => at > 0 && Math.floor(block / line.steps) !== Math.floor(path[at - 1]! / line.steps)).length;
  const work = path.reduce((sum, block) => sum + workOf(line, block), 0);
  return `The critical path${name === 'assumed' ? '' : ` as ${name}`} has ${plural(path.length, 'step')} and goes ${plural(crossings, 'time')} to another processor; ${duration(model, work)} of it, ${percent(line.total > 0 ? work / line.total : 0)} of the time, is work.`;
}

/** Describes what the pointer is at, in a few lines. */
export function describeHit(model: Model, found: Hit): string {
  const { block, track, part, ordinal } = found;
  if (block === undefined) return `processor ${found.processor}\nhas ended`;
  const lines = [placeText(model, block)];
  if (part === 'wait') lines.push(`waits ${duration(model, waitOf(track.line, block))}`);
  else if (part === 'copy') lines.push('copies messages');
  else if (ordinal !== undefined) {
    const uses = usesOfTask(model, { block, ordinal });
    lines.push(statementText(model, uses.statement), uses.writes ? `writes ${wordText(model, uses.writes)}` : `number ${uses.number}`);
  } else {
    const dominant = model.blocks?.dominant[block] ?? NONE;
    if (dominant !== NONE) lines.push(statementText(model, dominant), plural(model.blocks!.tasks[block]!, 'task'));
  }
  if (part === 'work' && ordinal === undefined) {
    const work = workOf(track.line, block);
    lines.push(`works ${duration(model, work)} from ${moment(model, track.line.end[block]! - work, work)}`);
  } else if (ordinal === undefined) lines.push(`begins at ${moment(model, beginOf(track.line, block), track.line.end[block]! - beginOf(track.line, block))}`);
  return lines.join('\n');
}
