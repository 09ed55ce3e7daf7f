// The screen as a value: page, row, overlay. Keys change it and may return a wish, which the driver carries out.
import type { Words } from '../../core/errors.ts'
import type { BilingualText } from '../language.ts'
import { pressFormKey as pressField, type FormAnswers, type FormState, type FormQuestion } from '../parts/form-state.ts'
import { pressFieldListKey, type FieldListState } from '../parts/field-list-state.ts'
import type { PressedKey } from '../parts/keys.ts'
import { findBinding, type Binding } from './keys.data.ts'
import type { RowOrder } from './arrange.ts'
import type { AnyPage } from './page.ts'

/** The position in a page: the marked row, and the first visible one. */
export interface PagePosition {
  filter: string
  at: number
  first: number
  order?: RowOrder
  /** The ids of rows that the next action is for, together. */
  marked?: readonly (string | number)[]
}

/** The overlay on the page. */
export type PageOverlay =
  /** `before`: the filter that Esc restores. `hint`: the words that Tab can continue with. */
  | { kind: 'typing'; what: 'filter' | 'command'; text: string; before?: string; hint?: string }
  | { kind: 'text'; title: string; lines: readonly string[]; first: number }
  | { kind: 'form'; title: BilingualText; form: FormState; act: RowAction }
  | FieldsOverlay
  /** `line` is the command line of the action. */
  | { kind: 'sure'; question: Words; line: string; act: RowAction }

/** All fields of a row in one list. */
export interface FieldsOverlay {
  kind: 'fields'
  title: BilingualText
  list: FieldListState
  act: RowAction
}

/** An action on a row, with its questions and answers. */
export interface RowAction {
  key: string
  row: unknown
  /** The marked rows, if the action is for several. */
  rows?: readonly unknown[]
  questions: readonly FormQuestion[]
  answers: FormAnswers
  /** The list that the answers come from: it returns if they are not saved. */
  fields?: FieldsOverlay
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
  /** `typing`: more may follow, so loading waits a moment. */
  | { kind: 'load'; typing?: true }
  | { kind: 'complete'; text: string }
  | { kind: 'help' }
  | { kind: 'mouse' }
  | { kind: 'open'; row: unknown }
  | { kind: 'copy'; row: unknown }
  | { kind: 'copyText'; text: string }
  | { kind: 'ask'; key: string; row: unknown; rows?: readonly unknown[] }
  | { kind: 'answered'; act: RowAction }
  /** Edits the text of the current field in the person's editor. */
  | { kind: 'editor'; over: PageOverlay & { kind: 'form' | 'fields' } }
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

/** `order`: how the rows of the first page are sorted. */
export const createStartState = (pages: readonly AnyPage[], order?: RowOrder): UiState => ({
  page: 0,
  places: pages.map((_, at) => ({ filter: '', at: 0, first: 0, ...(at === 0 && order ? { order } : {}) })),
  busy: false,
  mouse: false,
})

export const getPagePlace = (state: UiState): PagePosition =>
  state.places[state.page] ?? { filter: '', at: 0, first: 0 }

/** Returns the screen after a key, and its wish. */
export function pressUiKey(state: UiState, key: PressedKey, seen: VisiblePageFacts): readonly [UiState, KeyWish?] {
  const { over } = state
  if (over?.kind === 'form') return pressForm(state, over, key)
  if (over?.kind === 'fields') return pressFields(state, over, key)
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
  return binding === 'open' || binding === 'copy' || binding === 'mark' || (binding !== undefined && binding in STEPS)
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
  if (act) {
    if (row === undefined && !act.rowless) return [clean]
    const marked = act.rowless ? [] : listMarkedRows(state, seen)
    return [clean, { kind: 'ask', key: act.key, row: marked[0] ?? row, ...(marked.length > 1 ? { rows: marked } : {}) }]
  }
  if (!binding) return goTo(clean, key, pages)
  const step = findStep(binding, seen.room)
  if (step !== undefined) return [moveMark(clean, step, seen)]
  switch (binding) {
    case 'quit':
    case 'help':
    case 'mouse':
      return [clean, { kind: binding }]
    case 'filter':
      return [withOverlay(clean, createTypingOverlay('filter', getPagePlace(state).filter))]
    case 'command':
      return [withOverlay(clean, createTypingOverlay('command', ''))]
    case 'reload':
      return [clean, { kind: 'load' }]
    case 'unfilter':
      return getPagePlace(state).marked ? [withPlace(clean, removeMarks(getPagePlace(state)))] : setFilter(clean, '')
    case 'mark':
      return row === undefined ? [clean] : [toggleMark(clean, row, seen)]
    case 'sortNext':
    case 'sortPrevious':
    case 'sortReverse':
      return [sortRows(clean, binding, pages)]
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

/** Sets the filter of the page and begins at its top, without marks. */
export function setFilter(state: UiState, filter: string, typing = false): readonly [UiState, KeyWish?] {
  const { order, filter: before } = getPagePlace(state)
  if (before === filter) return [state]
  const place = { filter, at: 0, first: 0, ...(order ? { order } : {}) }
  return [withPlace(state, place), typing ? { kind: 'load', typing } : { kind: 'load' }]
}

const createTypingOverlay = (what: 'filter' | 'command', text: string): PageOverlay & { kind: 'typing' } => ({
  kind: 'typing',
  what,
  text,
  ...(what === 'filter' ? { before: text } : {}),
})

/** Handles a key of the filter or of a command line. A filter acts with every key; Esc restores the one before. */
function pressTyping(
  state: UiState,
  over: PageOverlay & { kind: 'typing' },
  key: PressedKey,
): readonly [UiState, KeyWish?] {
  const isFilter = over.what === 'filter'
  const setText = (text: string): readonly [UiState, KeyWish?] => {
    const typed = { ...state, over: { ...createTypingOverlay(over.what, text), before: over.before ?? '' } }
    return isFilter ? setFilter(typed, text.trim(), true) : [typed]
  }
  if (key === 'back') return isFilter ? setFilter(without(state), over.before ?? '') : [without(state)]
  if (key === 'clear') return setText('')
  if (key === 'backspace') return over.text === '' ? [without(state)] : setText([...over.text].slice(0, -1).join(''))
  if (key === 'tab') return isFilter ? [state] : [state, { kind: 'complete', text: over.text }]
  if (typeof key === 'object') return setText(over.text + key.character)
  if (key !== 'enter') return [state]
  if (isFilter) return [without(state)]
  const text = over.text.trim().replace(/^weir /, '')
  return text === '' ? [without(state)] : [without(state), { kind: 'command', text }]
}

// Marked rows and the order of rows.

const removeMarks = ({ filter, at, first, order }: PagePosition): PagePosition => ({
  filter,
  at,
  first,
  ...(order ? { order } : {}),
})

/** Returns the marked rows that are loaded, in their order. */
export function listMarkedRows(state: UiState, { rows, pages }: Pick<VisiblePageFacts, 'rows' | 'pages'>): unknown[] {
  const { marked = [] } = getPagePlace(state)
  const page = pages[state.page]
  return page && marked.length > 0 ? rows.filter((row) => marked.includes(page.id(row as never))) : []
}

/** Marks the row or removes its mark, and moves on to the next row. */
function toggleMark(state: UiState, row: unknown, seen: VisiblePageFacts): UiState {
  const place = getPagePlace(state)
  const id = seen.pages[state.page]!.id(row as never)
  const { marked = [] } = place
  const next = marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id]
  const changed = next.length === 0 ? removeMarks(place) : { ...place, marked: next }
  return moveMark(withPlace(state, changed), 1, seen)
}

/** Removes all marks of the page. */
export const clearMarks = (state: UiState): UiState => withPlace(state, removeMarks(getPagePlace(state)))

/** Sorts by the next or the previous column, or turns the order around; behind the last column the own order returns. */
function sortRows(
  state: UiState,
  how: 'sortNext' | 'sortPrevious' | 'sortReverse',
  pages: readonly AnyPage[],
): UiState {
  const { order, ...place } = getPagePlace(state)
  if (how === 'sortReverse')
    return order ? withPlace(state, { ...place, order: { ...order, descending: !order.descending } }) : state
  const fields = Object.entries(pages[state.page]?.view ?? {}).filter(([, { rank }]) => rank > 0)
  const choices = fields.map(([field, { kind }]): RowOrder => ({ field, descending: LARGEST_FIRST.has(kind) }))
  const at = choices.findIndex(({ field }) => field === order?.field)
  const next = how === 'sortNext' ? at + 1 : at < 0 ? choices.length - 1 : at - 1
  const chosen = choices[next]
  return withPlace(state, { ...place, at: 0, first: 0, ...(chosen ? { order: chosen } : {}) })
}

/** Columns that begin with their largest value. */
const LARGEST_FIRST: ReadonlySet<string> = new Set(['count', 'number', 'money', 'ms', 'time'])

function pressSure(
  state: UiState,
  over: PageOverlay & { kind: 'sure' },
  key: PressedKey,
): readonly [UiState, KeyWish?] {
  const setText = typeof key === 'object' ? key.character.toLowerCase() : key
  if (setText === 'y') return [without(state), { kind: 'do', act: over.act }]
  if (setText !== 'n' && setText !== 'back') return [state]
  return [over.act.fields ? withOverlay(state, over.act.fields) : without(state)]
}

/** Handles a key in a form. Esc on the first question and Ctrl+C close it. */
function pressForm(
  state: UiState,
  over: PageOverlay & { kind: 'form' },
  key: PressedKey,
): readonly [UiState, KeyWish?] {
  if (key === 'editor') return [state, { kind: 'editor', over }]
  const form = pressField(over.form, key)
  if (form.status === 'cancelled' || (key === 'back' && form === over.form)) return [without(state)]
  if (form.status === 'asking') return [withOverlay(state, { ...over, form })]
  return [without(state), { kind: 'answered', act: { ...over.act, answers: form.answers } }]
}

/** Handles a key in the list of all fields. It stays until the changes are saved or given up. */
function pressFields(state: UiState, over: FieldsOverlay, key: PressedKey): readonly [UiState, KeyWish?] {
  if (key === 'editor' && over.list.status === 'open') return [state, { kind: 'editor', over }]
  const list = pressFieldListKey(over.list, key)
  if (list.status === 'cancelled') return [without(state)]
  if (list.status !== 'saved') return [withOverlay(state, { ...over, list })]
  const fields = { ...over, list: { ...list, status: 'open' as const } }
  return [withOverlay(state, fields), { kind: 'answered', act: { ...over.act, answers: list.answers, fields } }]
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
