import type { Answer } from '../data/report';
import { button, h, section } from './dom';
import { percent } from './format';

/** The list of advice, each with what it gains; `show` leads to its place. */
export function answers(list: readonly Answer[], show: (answer: Answer) => void): HTMLElement | undefined {
  if (list.length === 0) return undefined;
  const items = list.map((answer) => {
    const place = placeOf(answer);
    return h(
      'li',
      {},
      h('div', { class: 'gain' }, answer.gain ? percent(answer.gain) : ''),
      h('div', {}, h('strong', {}, answer.title), answer.body ? h('p', {}, answer.body) : null, answer.help ? h('p', {}, `Write: ${answer.help}.`) : null),
      place ? button(place, () => show(answer), { 'aria-label': `Show ${place} of: ${answer.title}` }) : null,
    );
  });
  return section('answers', 'What would make it faster', h('p', { class: 'note' }, 'Each with what it would gain of the time.'), h('ol', { class: 'answers' }, ...items));
}

function placeOf({ line, statement, step }: Answer): string | undefined {
  if (step !== undefined) return `Step ${step}`;
  if (line !== undefined) return `Line ${line}`;
  return statement === undefined ? undefined : 'Statement';
}
