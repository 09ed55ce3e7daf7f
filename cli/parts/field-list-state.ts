// All fields of one thing as a value: the list with the current field, the question of a field that is being changed,
// and a search. Keys change it; other modules draw it.
import { joinAllLanguages, type BilingualText } from '../language.ts'
import type { FormAnswers, FormQuestion, FormState } from './form-state.ts'
import { getFirstAnswer, pickChangedAnswers, pressFormKey, startTerminalForm } from './form-state.ts'
import type { PressedKey } from './keys.ts'
import { words } from '../texts.ts'

export interface FieldListState {
  questions: readonly FormQuestion[]
  answers: FormAnswers
  /** Index of the current field. */
  at: number
  /** The question of the current field, while it is answered. */
  field?: FormState
  /** The typed text of a search, and the field where it began. */
  search?: { text: string; from: number }
  problem?: BilingualText
  /** `leaving`: changes would be lost, and the person is asked. */
  status: 'open' | 'leaving' | 'saved' | 'cancelled'
}

/** Returns the list before the first key. */
export const startFieldList = (questions: readonly FormQuestion[]): FieldListState => ({
  questions,
  answers: Object.fromEntries(questions.map((question) => [question.name, getFirstAnswer(question, {})])),
  at: 0,
  status: 'open',
})

/** Returns the answers that differ from the stored values. */
export const listChangedFields = ({ questions, answers }: FieldListState): FormAnswers =>
  pickChangedAnswers(questions, answers)

/** Rows that a page key moves by. */
const PAGE_ROWS = 10

/** Returns the list after a key. */
export function pressFieldListKey(state: FieldListState, key: PressedKey): FieldListState {
  const open = { ...state, problem: undefined }
  if (state.status === 'leaving') return pressLeaving(open, key)
  if (state.field) return pressField(open, state.field, key)
  if (state.search) return pressSearch(open, state.search, key)
  if (typeof key === 'object') return pressCharacter(open, key.character)
  switch (key) {
    case 'up':
      return moveTo(open, state.at - 1)
    case 'down':
    case 'tab':
      return moveTo(open, state.at + 1)
    case 'pageUp':
      return moveTo(open, state.at - PAGE_ROWS)
    case 'pageDown':
      return moveTo(open, state.at + PAGE_ROWS)
    case 'home':
      return moveTo(open, 0)
    case 'end':
      return moveTo(open, state.questions.length - 1)
    case 'enter':
    case 'right':
      return openField(open)
    case 'backspace':
    case 'delete':
    case 'clear':
      return restoreField(open)
    case 'save':
      return save(open)
    case 'back':
    case 'cancel':
      return { ...open, status: hasChanges(open) ? 'leaving' : 'cancelled' }
    default:
      return open
  }
}

const hasChanges = (state: FieldListState) => Object.keys(listChangedFields(state)).length > 0

function save(state: FieldListState): FieldListState {
  return hasChanges(state) ? { ...state, status: 'saved' } : { ...state, problem: words('Nothing was changed.') }
}

const moveTo = (state: FieldListState, at: number): FieldListState => ({
  ...state,
  at: Math.max(0, Math.min(state.questions.length - 1, at)),
})

/** Opens the question of the current field. */
export function openField(state: FieldListState): FieldListState {
  const question = state.questions[state.at]
  return question ? { ...state, field: startTerminalForm([question], state.answers) } : state
}

/** Gives the current field its stored value back. */
function restoreField(state: FieldListState): FieldListState {
  const question = state.questions[state.at]
  if (!question) return state
  return { ...state, answers: { ...state.answers, [question.name]: getFirstAnswer(question, {}) } }
}

/** A blank turns yes into no and back, a slash begins a search, any other character moves to the next field that begins with it. */
function pressCharacter(state: FieldListState, character: string): FieldListState {
  if (character === '/') return { ...state, search: { text: '', from: state.at } }
  const question = state.questions[state.at]
  if (character === ' ' && question?.kind === 'yes_no') {
    const answer = state.answers[question.name] === 'yes' ? 'no' : 'yes'
    return { ...state, answers: { ...state.answers, [question.name]: answer } }
  }
  const letter = character.toLowerCase()
  return findFrom(state, state.at + 1, ({ name, label }) =>
    [name, label.en, label.zh].some((text) => text.toLowerCase().startsWith(letter)),
  )
}

/** Moves to the first matching field from an index on, and on from the top; without one nothing moves. */
function findFrom(state: FieldListState, from: number, matches: (question: FormQuestion) => boolean): FieldListState {
  const { questions } = state
  const found = questions.map((_, step) => (from + step) % questions.length).find((at) => matches(questions[at]!))
  return found === undefined ? state : { ...state, at: found }
}

function pressField(state: FieldListState, field: FormState, key: PressedKey): FieldListState {
  const pressed = pressFormKey(field, key === 'save' ? 'enter' : key)
  const { field: _, ...closed } = state
  if (pressed.status === 'cancelled' || (key === 'back' && pressed === field)) return closed
  if (pressed.status !== 'done') return { ...state, field: pressed }
  const answered = { ...closed, answers: pressed.answers }
  return key === 'save' ? save(answered) : answered
}

function pressSearch(
  state: FieldListState,
  { text, from }: NonNullable<FieldListState['search']>,
  key: PressedKey,
): FieldListState {
  const { search: _, ...closed } = state
  const searchFor = (typed: string, begin: number): FieldListState =>
    findFrom({ ...state, search: { text: typed, from } }, begin, ({ name, label }) =>
      `${joinAllLanguages(label)} ${name}`.toLowerCase().includes(typed.toLowerCase()),
    )
  if (key === 'enter') return closed
  if (key === 'back' || key === 'cancel') return { ...closed, at: from }
  if (key === 'down' || key === 'tab') return searchFor(text, state.at + 1)
  if (key === 'backspace') return text === '' ? closed : searchFor([...text].slice(0, -1).join(''), from)
  if (key === 'clear') return searchFor('', from)
  return typeof key === 'object' ? searchFor(text + key.character, from) : state
}

/** Handles the answer to the question of unsaved changes. */
function pressLeaving(state: FieldListState, key: PressedKey): FieldListState {
  const answer = typeof key === 'object' ? key.character.toLowerCase() : key
  if (answer === 's' || answer === 'save') return save({ ...state, status: 'open' })
  if (answer === 'd' || answer === 'cancel') return { ...state, status: 'cancelled' }
  return answer === 'n' || answer === 'back' ? { ...state, status: 'open' } : state
}
