// The keys of `weir ui`, declared once with their action, help and footer texts. Keys that act on a row are declared by
// its page.
import type { Words } from '../../core/errors.ts'
import type { PressedKey } from '../parts/keys.ts'
import { words } from '../texts.ts'

export interface KeyBinding {
  /** Name for people. */
  shown: string
  keys: readonly string[]
  help: Words
  /** Text for the footer, if there is room. */
  foot?: Words
}

export const BINDINGS = {
  up: { shown: '↑ k', keys: ['up', 'k'], help: words('one row up') },
  down: { shown: '↓ j', keys: ['down', 'j'], help: words('one row down') },
  pageUp: { shown: 'PgUp', keys: ['pageUp'], help: words('one screen up') },
  pageDown: { shown: 'PgDn', keys: ['pageDown'], help: words('one screen down') },
  first: { shown: 'g Home', keys: ['home', 'g'], help: words('first row') },
  last: { shown: 'G End', keys: ['end', 'G'], help: words('last row') },
  previous: { shown: '←', keys: ['left'], help: words('previous page') },
  next: { shown: '→', keys: ['right'], help: words('next page') },
  open: { shown: 'Enter', keys: ['enter'], help: words('open the row'), foot: words('open') },
  filter: {
    shown: '/',
    keys: ['/'],
    help: words('filter the rows as you type: text, or fields like status:disabled'),
    foot: words('filter'),
  },
  mark: { shown: 'Space', keys: [' '], help: words('mark the row: an action is then for all marked rows') },
  sortNext: { shown: '>', keys: ['>'], help: words('sort by the next column') },
  sortPrevious: { shown: '<', keys: ['<'], help: words('sort by the previous column') },
  sortReverse: { shown: '=', keys: ['='], help: words('reverse the order') },
  command: {
    shown: ':',
    keys: [':'],
    help: words('go to a page, or run any command of weir; Tab completes'),
    foot: words('command'),
  },
  copy: { shown: 'y', keys: ['y'], help: words('copy the name'), foot: words('copy') },
  reload: { shown: 'r', keys: ['r'], help: words('load again') },
  mouse: {
    shown: 'M',
    keys: ['M'],
    help: words('mouse on or off; while it is on, Shift marks text'),
  },
  help: { shown: '?', keys: ['?'], help: words('all keys'), foot: words('keys', { context: 'keyboard' }) },
  unfilter: { shown: 'Esc', keys: ['back'], help: words('close, or clear the marks or the filter') },
  quit: { shown: 'q', keys: ['q'], help: words('leave'), foot: words('quit') },
} as const satisfies Record<string, KeyBinding>

export type Binding = keyof typeof BINDINGS

/** Finds the action of a key that works on every page. */
export function findBinding(key: PressedKey): Binding | undefined {
  const typed = typeof key === 'object' ? key.character : key
  return (Object.keys(BINDINGS) as Binding[]).find((name) => (BINDINGS[name].keys as readonly string[]).includes(typed))
}
