// The screen as a value: page, row, overlay. Keys change it and may return a wish, which the driver carries out.
import type { Words } from '../../core/errors.ts'
import type { BilingualText } from '../language.ts'
import { pressFormKey as pressField, type FormAnswers, type FormState, type FormQuestion } from '../parts/form-state.ts'
import type { PressedKey } from '../parts/keys.ts'
import { findBinding, type Binding } from './keys.data.ts'
import type { AnyPage } from './page.ts'

/** The position in a page: the marked row, and the first visible one. */
export interface PagePosition {
  filter: string
  at: number
  first: number
}

/** The overlay on the page. */
export type PageOverlay =
  | { kind: 'typing'; what: 'filter' | 'command'; text: string }
  | { kind: 'text'; title: string; lines: readonly string[]; first: number }
  | { kind: 'form'; title: BilingualText; form: FormState; act: RowAction }
  /** `line` is the command line of the action. */
  | { kind: 'sure'; question: Words; line: string; act: RowAction }

/** An action on a row, with its questions and answers. */
export interface RowAction {
  key: string
  row: unknown
  questions: readonly FormQuestion[]
  answers: FormAnswers
}

export interface FooterMessage {
  text: BilingualText
  bad: boolean
}

export interface UiState {
  page: number
  places: readonly PagePosition[]
  over?: PageOverlay
  message?: FooterMessage
  /** True while work is running; no second action starts. */
  busy: boolean
  /** True if clicks and the wheel are handled here; the terminal itself then selects text only with Shift. */
  mouse: boolean
}

/** A request of a key, in addition to a changed screen. */
export type KeyWish =
  | { kind: 'quit' }
  | { kind: 'load' }
  | { kind: 'help' }
  | { kind: 'mouse' }
  | { kind: 'open'; row: unknown }
  | { kind: 'copy'; row: unknown }
  | { kind: 'copyText'; text: string }
  | { kind: 'ask'; key: string; row: unknown }
  | { kind: 'answered'; act: RowAction }
  | { kind: 'do'; act: RowAction }
  | { kind: 'command'; text: string }

/** The facts about the current page that keys need. */
export interface VisiblePageFacts {
  pages: readonly AnyPage[]
  /** Loaded rows of this page. */
  rows: readonly unknown[]
  /** Number of rows that fit. */
  room: number
  /** Number of text lines that fit. */
  textRoom: number
}

export const createStartState = (pages: readonly AnyPage[]): UiState => ({
  page: 0,
  places: pages.map(() => ({ filter: '', at: 0, first: 0 })),
  busy: false,
  mouse: false,
})

export const getPagePlace = (state: UiState): PagePosition =>
  state.places[state.page] ?? { filter: '', at: 0, first: 0 }

/** Returns the screen after a key, and its wish. */
export function pressUiKey(state: UiState, key: PressedKey, seen: VisiblePageFacts): readonly [UiState, KeyWish?] {
  const { over } = state
  if (over?.kind === 'form') return pressForm(state, over, key)
  if (key === 'cancel') return [state, { kind: 'quit' }]
  if (!over) return pressPage(state, key, seen)
  if (over.kind === 'typing') return pressTyping(state, over, key)
  if (over.kind === 'sure') return pressSure(state, over, key)
  return pressText(state, over, key, seen.textRoom)
}

/** Returns whether the key acts on the marked row, so that it must wait until rows are loaded. */
export function needsMarkedRow(state: UiState, key: PressedKey, pages: readonly AnyPage[]): boolean {
  if (state.over) return false
  const binding = findBinding(key)
  const act = findAct(state, key, pages)
  if (act) return !act.rowless
  return binding === 'open' || binding === 'copy' || (binding !== undefined && binding in STEPS)
}

const findAct = (state: UiState, key: PressedKey, pages: readonly AnyPage[]) =>
  typeof key === 'string' ? undefined : pages[state.page]?.actions.find((one) => one.key === key.character)

const without = ({ page, places, busy, mouse }: UiState): UiState => ({ page, places, busy, mouse })

/** Returns the screen with another overlay. */
export const withOverlay = (state: UiState, over: PageOverlay): UiState => ({ ...without(state), over })

/** Returns the screen with a sentence in the footer instead of the overlay. */
export const withFooterMessage = (state: UiState, message: FooterMessage): UiState => ({ ...without(state), message })

function pressPage(state: UiState, key: PressedKey, seen: VisiblePageFacts): readonly [UiState, KeyWish?] {
  const { rows, pages } = seen
  const row = rows[Math.min(getPagePlace(state).at, rows.length - 1)]
  const binding = findBinding(key)
  const clean = without(state)
  const act = findAct(state, key, pages)
  if (act) return row === undefined && !act.rowless ? [clean] : [clean, { kind: 'ask', key: act.key, row }]
  if (!binding) return goTo(clean, key, pages)
  const step = findStep(binding, seen.room)
  if (step !== undefined) return [moveMark(clean, step, seen)]
  switch (binding) {
    case 'quit':
    case 'help':
    case 'mouse':
      return [clean, { kind: binding }]
    case 'filter':
      return [withOverlay(clean, { kind: 'typing', what: 'filter', text: getPagePlace(state).filter })]
    case 'command':
      return [withOverlay(clean, { kind: 'typing', what: 'command', text: '' })]
    case 'reload':
      return [clean, { kind: 'load' }]
    case 'unfilter':
      return setFilter(clean, '')
    case 'open':
    case 'copy':
      return row === undefined ? [clean] : [clean, { kind: binding, row }]
    case 'next':
      return goToPage(clean, (state.page + 1) % pages.length)
    case 'previous':
      return goToPage(clean, (state.page + pages.length - 1) % pages.length)
    default:
      return [clean]
  }
}

const goTo = (state: UiState, key: PressedKey, pages: readonly AnyPage[]): readonly [UiState, KeyWish?] => {
  const number = typeof key === 'string' ? NaN : Number(key.character)
  return number >= 1 && number <= pages.length ? goToPage(state, number - 1) : [state]
}

/** Returns the screen at another page, and the wish to load it. */
export const goToPage = (state: UiState, page: number): readonly [UiState, KeyWish?] => [
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
const findStep = (binding: Binding, room: number): number | undefined => STEPS[binding]?.(room)

function moveMark(state: UiState, step: number, { rows, room }: VisiblePageFacts): UiState {
  const { at } = getPagePlace(state)
  return markRow(state, Math.min(at, rows.length - 1) + step, { rows, room })
}

/** Returns the screen with another row marked, the nearest existing one. */
export function markRow(
  state: UiState,
  target: number,
  { rows, room }: Pick<VisiblePageFacts, 'rows' | 'room'>,
): UiState {
  const place = getPagePlace(state)
  const at = within(target, rows.length)
  return withPlace(state, { ...place, at, first: getFirstVisible(place.first, at, room, rows.length) })
}

const within = (at: number, length: number) => Math.max(0, Math.min(length - 1, at))

/** Returns the first visible row, so that the marked one is visible and no room is left at the end. */
export const getFirstVisible = (first: number, at: number, room: number, length: number): number =>
  Math.min(Math.max(first, at - room + 1, 0), at, Math.max(0, length - room))

const withPlace = (state: UiState, place: PagePosition): UiState => ({
  ...state,
  places: state.places.map((one, at) => (at === state.page ? place : one)),
})

const setFilter = (state: UiState, filter: string): readonly [UiState, KeyWish?] =>
  getPagePlace(state).filter === filter ? [state] : [withPlace(state, { filter, at: 0, first: 0 }), { kind: 'load' }]

function pressTyping(
  state: UiState,
  over: PageOverlay & { kind: 'typing' },
  key: PressedKey,
): readonly [UiState, KeyWish?] {
  const setText = (text: string): UiState => ({ ...state, over: { ...over, text } })
  if (key === 'back') return [without(state)]
  if (key === 'clear') return [setText('')]
  if (key === 'backspace') return over.text === '' ? [without(state)] : [setText([...over.text].slice(0, -1).join(''))]
  if (typeof key === 'object') return [setText(over.text + key.character)]
  if (key !== 'enter') return [state]
  if (over.what === 'filter') return setFilter(without(state), over.text.trim())
  const text = over.text.trim().replace(/^weir /, '')
  return text === '' ? [without(state)] : [without(state), { kind: 'command', text }]
}

function pressSure(
  state: UiState,
  over: PageOverlay & { kind: 'sure' },
  key: PressedKey,
): readonly [UiState, KeyWish?] {
  const setText = typeof key === 'object' ? key.character.toLowerCase() : key
  if (setText === 'y') return [without(state), { kind: 'do', act: over.act }]
  return setText === 'n' || setText === 'back' ? [without(state)] : [state]
}

/** Handles a key in a form. Esc on the first question and Ctrl+C close it. */
function pressForm(
  state: UiState,
  over: PageOverlay & { kind: 'form' },
  key: PressedKey,
): readonly [UiState, KeyWish?] {
  const form = pressField(over.form, key)
  if (form.status === 'cancelled' || (key === 'back' && form === over.form)) return [without(state)]
  if (form.status === 'asking') return [withOverlay(state, { ...over, form })]
  return [without(state), { kind: 'answered', act: { ...over.act, answers: form.answers } }]
}

function pressText(
  state: UiState,
  over: PageOverlay & { kind: 'text' },
  key: PressedKey,
  room: number,
): readonly [UiState, KeyWish?] {
  const binding = findBinding(key)
  if (binding === 'unfilter' || binding === 'quit' || binding === 'open' || binding === 'help') return [without(state)]
  if (binding === 'copy') return [state, { kind: 'copyText', text: over.lines.join('\n') }]
  const step = binding && findStep(binding, room)
  return step === undefined ? [state] : [scrollText(state, over, step, room)]
}

/** Scrolls the text by `step` lines, within its bounds. */
export function scrollText(state: UiState, over: PageOverlay & { kind: 'text' }, step: number, room: number): UiState {
  const last = Math.max(0, over.lines.length - room)
  return withOverlay(state, { ...over, first: Math.max(0, Math.min(last, over.first + step)) })
}
