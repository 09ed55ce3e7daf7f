// The screen as a value: which page, which row, what lies over it. Keys change it and may wish for something to be done;
// doing it is somebody else's work.
import type { Words } from '../../core/errors.ts'
import type { Said } from '../language.ts'
import type { Answers, Question } from '../parts/form-state.ts'
import type { Key } from '../parts/keys.ts'
import { bindingOf, type Binding } from './keys.data.ts'
import type { AnyPage } from './page.ts'

/** Where one is in a page: the marked row, and the first one that is seen. */
export interface Place {
  filter: string
  at: number
  first: number
}

/** What lies over the page. */
export type Over =
  | { kind: 'help' }
  | { kind: 'typing'; what: 'filter' | 'command'; text: string }
  | { kind: 'text'; title: string; lines: readonly string[]; first: number }
  | { kind: 'form'; title: Said; questions: readonly Question[]; act: Act }
  | { kind: 'sure'; question: Words; act: Act }

/** An act on a row, with what was filled in for it. */
export interface Act {
  key: string
  row: unknown
  answers: Answers
}

export interface Told {
  text: Said
  bad: boolean
}

export interface UiState {
  page: number
  places: readonly Place[]
  over?: Over
  told?: Told
  /** Working on something: no second act meanwhile. */
  busy: boolean
}

/** What a key asks for beside a changed screen. */
export type Wish =
  | { kind: 'quit' }
  | { kind: 'load' }
  | { kind: 'open'; row: unknown }
  | { kind: 'copy'; row: unknown }
  | { kind: 'ask'; key: string; row: unknown }
  | { kind: 'do'; act: Act }
  | { kind: 'command'; text: string }

/** What keys need to know of the page they are pressed on. */
export interface Seen {
  pages: readonly AnyPage[]
  /** Rows of this page, as loaded. */
  rows: readonly unknown[]
  /** How many rows there is room for. */
  room: number
}

export const startState = (pages: readonly AnyPage[]): UiState => ({
  page: 0,
  places: pages.map(() => ({ filter: '', at: 0, first: 0 })),
  busy: false,
})

export const placeOf = (state: UiState): Place => state.places[state.page] ?? { filter: '', at: 0, first: 0 }

/** The screen after a key, and what it wishes. */
export function press(state: UiState, key: Key, seen: Seen): readonly [UiState, Wish?] {
  if (key === 'cancel') return [state, { kind: 'quit' }]
  const { over } = state
  if (!over) return pressPage(state, key, seen)
  if (over.kind === 'typing') return pressTyping(state, over, key)
  if (over.kind === 'sure') return pressSure(state, over, key)
  if (over.kind === 'text') return [pressText(state, over, key, seen.room)]
  // A form has keys of its own; help goes with any key.
  return over.kind === 'form' ? [state] : [without(state)]
}

const without = (state: UiState): UiState => ({ page: state.page, places: state.places, busy: state.busy })

function pressPage(state: UiState, key: Key, seen: Seen): readonly [UiState, Wish?] {
  const { rows, pages } = seen
  const row = rows[Math.min(placeOf(state).at, rows.length - 1)]
  const binding = bindingOf(key)
  const clean = without(state)
  const act = typeof key === 'string' ? undefined : pages[state.page]?.actions.find((one) => one.key === key.character)
  if (act) return row === undefined || state.busy ? [clean] : [clean, { kind: 'ask', key: act.key, row }]
  if (!binding) return goTo(clean, key, pages)
  const step = stepOf(binding, seen.room)
  if (step !== undefined) return [moved(clean, step, seen)]
  switch (binding) {
    case 'quit':
      return [clean, { kind: 'quit' }]
    case 'help':
      return [{ ...clean, over: { kind: 'help' } }]
    case 'filter':
      return [{ ...clean, over: { kind: 'typing', what: 'filter', text: placeOf(state).filter } }]
    case 'command':
      return [{ ...clean, over: { kind: 'typing', what: 'command', text: '' } }]
    case 'reload':
      return [clean, { kind: 'load' }]
    case 'unfilter':
      return filtered(clean, '')
    case 'open':
      return row === undefined ? [clean] : [clean, { kind: 'open', row }]
    case 'copy':
      return row === undefined ? [clean] : [clean, { kind: 'copy', row }]
    case 'next':
      return goToPage(clean, (state.page + 1) % pages.length)
    case 'previous':
      return goToPage(clean, (state.page + pages.length - 1) % pages.length)
    default:
      return [clean]
  }
}

const goTo = (state: UiState, key: Key, pages: readonly AnyPage[]): readonly [UiState, Wish?] => {
  const number = typeof key === 'string' ? NaN : Number(key.character)
  return number >= 1 && number <= pages.length ? goToPage(state, number - 1) : [state]
}

/** The screen at another page, which is loaded. */
export const goToPage = (state: UiState, page: number): readonly [UiState, Wish?] => [
  { ...without(state), page },
  { kind: 'load' },
]

const STEPS: Partial<Record<Binding, (room: number) => number>> = {
  up: () => -1,
  down: () => 1,
  pageUp: (room) => -room,
  pageDown: (room) => room,
  first: () => -Infinity,
  last: () => Infinity,
}
const stepOf = (binding: Binding, room: number): number | undefined => STEPS[binding]?.(room)

function moved(state: UiState, step: number, { rows, room }: Seen): UiState {
  const place = placeOf(state)
  const at = within(Math.min(place.at, rows.length - 1) + step, rows.length)
  return withPlace(state, { ...place, at, first: firstSeen(place.first, at, room, rows.length) })
}

const within = (at: number, length: number) => Math.max(0, Math.min(length - 1, at))

/** The first row that is seen, so that the marked one is among them and no room is left at the end. */
export const firstSeen = (first: number, at: number, room: number, length: number): number =>
  Math.min(Math.max(first, at - room + 1, 0), at, Math.max(0, length - room))

const withPlace = (state: UiState, place: Place): UiState => ({
  ...state,
  places: state.places.map((one, at) => (at === state.page ? place : one)),
})

const filtered = (state: UiState, filter: string): readonly [UiState, Wish?] =>
  placeOf(state).filter === filter ? [state] : [withPlace(state, { filter, at: 0, first: 0 }), { kind: 'load' }]

function pressTyping(state: UiState, over: Over & { kind: 'typing' }, key: Key): readonly [UiState, Wish?] {
  const typed = (text: string): UiState => ({ ...state, over: { ...over, text } })
  if (key === 'back') return [without(state)]
  if (key === 'clear') return [typed('')]
  if (key === 'backspace') return over.text === '' ? [without(state)] : [typed([...over.text].slice(0, -1).join(''))]
  if (typeof key === 'object') return [typed(over.text + key.character)]
  if (key !== 'enter') return [state]
  if (over.what === 'filter') return filtered(without(state), over.text.trim())
  const text = over.text.trim()
  return text === '' ? [without(state)] : [without(state), { kind: 'command', text }]
}

function pressSure(state: UiState, over: Over & { kind: 'sure' }, key: Key): readonly [UiState, Wish?] {
  const typed = typeof key === 'object' ? key.character.toLowerCase() : key
  if (typed === 'y')
    return [
      { ...without(state), busy: true },
      { kind: 'do', act: over.act },
    ]
  return typed === 'n' || typed === 'back' ? [without(state)] : [state]
}

function pressText(state: UiState, over: Over & { kind: 'text' }, key: Key, room: number): UiState {
  const binding = bindingOf(key)
  if (binding === 'unfilter' || binding === 'quit' || binding === 'open') return without(state)
  const step = binding && stepOf(binding, room)
  if (step === undefined) return state
  const last = Math.max(0, over.lines.length - room)
  return { ...state, over: { ...over, first: Math.max(0, Math.min(last, over.first + step)) } }
}
