// A form as a value: questions, answers so far, the current field. Keys change it; other modules draw it.
import { joinAllLanguages, type BilingualText } from '../language.ts'
import type { PressedKey } from './keys.ts'
import { words } from '../texts.ts'

export type FormAnswers = Record<string, string>
type Derived<T> = T | ((answers: FormAnswers) => T)

export interface FormChoice {
  value: string
  label: BilingualText
  hint?: BilingualText
}

/** One question. `kind` is the way to answer; yes_no answers are `yes` and `no`. */
export interface FormQuestion {
  name: string
  label: BilingualText
  kind: 'text' | 'secret' | 'choice' | 'yes_no'
  /** Initial text of the field; in a choice, the option marked first. */
  initial?: Derived<string>
  /** Answer to an empty field, shown next to it. */
  fallback?: Derived<string | undefined>
  hint?: Derived<BilingualText | undefined>
  choices?: Derived<FormChoice[]>
  /** The question is left out if this returns false. */
  when?(answers: FormAnswers): boolean
  /** Returns the error in the answer, or undefined. */
  check?(value: string, answers: FormAnswers): BilingualText | undefined
}

/** `text` is the typed text (in a choice: the filter); `at` the cursor; `picked` the marked choice. */
export interface QuestionField {
  text: readonly string[]
  at: number
  picked: number
}

export interface FormState {
  questions: readonly FormQuestion[]
  index: number
  answers: FormAnswers
  field: QuestionField
  problem?: BilingualText
  status: 'asking' | 'done' | 'cancelled'
  /** Keys after the last answer, typed ahead for the next form. */
  rest: readonly PressedKey[]
}

/** Returns the form before the first key. `answers` are those that the fields show at first. */
export function startTerminalForm(questions: readonly FormQuestion[], answers: FormAnswers = {}): FormState {
  const empty: FormState = {
    questions,
    index: -1,
    answers,
    field: { text: [], at: 0, picked: 0 },
    status: 'asking',
    rest: [],
  }
  return move(empty, 1)
}

/** Returns the form after a key. */
export function pressFormKey(state: FormState, key: PressedKey): FormState {
  if (state.status !== 'asking') return { ...state, rest: [...state.rest, key] }
  if (key === 'cancel') return { ...state, status: 'cancelled' }
  if (key === 'back') return move(state, -1)
  if (key === 'enter' || key === 'tab') return submit(state)
  const question = getCurrentQuestion(state)
  if (!question) return state
  const change = { text: editText, secret: editText, choice: editChoice, yes_no: editYesNo }[question.kind]
  return { ...state, problem: undefined, field: change(state, key) }
}

/** Returns the current question; undefined once all are answered. */
export const getCurrentQuestion = (state: FormState): FormQuestion | undefined => state.questions[state.index]

/** Returns the answer that a question has before anybody has answered it. */
export function getFirstAnswer({ initial, fallback, kind }: FormQuestion, answers: FormAnswers): string {
  const text = (deriveFromAnswers(initial, answers) ?? '').trim()
  if (text !== '' || kind === 'choice') return text
  return kind === 'yes_no' ? 'yes' : (deriveFromAnswers(fallback, answers) ?? '')
}

/** Returns the answers that differ from the first ones. */
export const pickChangedAnswers = (questions: readonly FormQuestion[], answers: FormAnswers): FormAnswers =>
  Object.fromEntries(
    Object.entries(answers).filter(([name, value]) => {
      const question = questions.find((one) => one.name === name)
      return !question || value !== getFirstAnswer(question, answers)
    }),
  )

/** Returns the form with another text in its field. */
export function replaceFieldText(state: FormState, text: string): FormState {
  const letters = Array.from(text)
  return { ...state, problem: undefined, field: { text: letters, at: letters.length, picked: 0 } }
}

/** Returns the choices that match the typed filter. */
export function filterChoices(state: FormState): FormChoice[] {
  const question = getCurrentQuestion(state)
  const all = deriveFromAnswers(question?.choices, state.answers) ?? []
  const typed = state.field.text.join('').toLowerCase()
  const matchesFilter = ({ value, label }: FormChoice) =>
    `${joinAllLanguages(label)} ${value}`.toLowerCase().includes(typed)
  return typed === '' ? all : all.filter(matchesFilter)
}

/** Resolves a value that may depend on the answers so far. */
export const deriveFromAnswers = <T>(value: Derived<T> | undefined, answers: FormAnswers): T | undefined =>
  typeof value === 'function' ? (value as (answers: FormAnswers) => T)(answers) : value

function submit(state: FormState): FormState {
  const question = getCurrentQuestion(state)
  if (!question) return state
  const value = getAnswer(state, question)
  if (value === undefined) return { ...state, problem: words('Nothing matches: delete some letters') }
  const problem = question.check?.(value, state.answers)
  if (problem) return { ...state, problem }
  return move({ ...state, answers: { ...state.answers, [question.name]: value } }, 1)
}

function getAnswer(state: FormState, question: FormQuestion): string | undefined {
  if (question.kind === 'choice') return filterChoices(state)[state.field.picked]?.value
  if (question.kind === 'yes_no') return state.field.picked === 0 ? 'yes' : 'no'
  return state.field.text.join('').trim() || (deriveFromAnswers(question.fallback, state.answers) ?? '')
}

/**
 * Moves to the next or the previous question that applies. After the last one the form is done; before the first
 * nothing happens.
 */
function move(state: FormState, step: 1 | -1): FormState {
  let index = state.index + step
  while (state.questions[index] && state.questions[index]?.when?.(state.answers) === false) index += step
  if (index < 0) return state
  const question = state.questions[index]
  if (!question) return { ...state, index, problem: undefined, status: 'done' }
  return { ...state, index, problem: undefined, field: fieldFor(question, state.answers) }
}

/** Returns the field of a question, filled with its earlier answer, otherwise with its initial value. */
function fieldFor(question: FormQuestion, answers: FormAnswers): QuestionField {
  const initial = answers[question.name] ?? deriveFromAnswers(question.initial, answers) ?? ''
  if (question.kind === 'yes_no') return { text: [], at: 0, picked: initial === 'no' ? 1 : 0 }
  if (question.kind === 'choice') {
    const choices = deriveFromAnswers(question.choices, answers) ?? []
    return {
      text: [],
      at: 0,
      picked: Math.max(
        0,
        choices.findIndex(({ value }) => value === initial),
      ),
    }
  }
  const text = Array.from(initial)
  return { text, at: text.length, picked: 0 }
}

function editText({ field }: FormState, key: PressedKey): QuestionField {
  const { text, at } = field
  if (typeof key === 'object') return { ...field, text: text.toSpliced(at, 0, key.character), at: at + 1 }
  if (key === 'backspace') return at === 0 ? field : { ...field, text: text.toSpliced(at - 1, 1), at: at - 1 }
  if (key === 'delete') return { ...field, text: text.toSpliced(at, 1) }
  if (key === 'clear') return { ...field, text: [], at: 0 }
  if (key === 'left') return { ...field, at: Math.max(0, at - 1) }
  if (key === 'right') return { ...field, at: Math.min(text.length, at + 1) }
  if (key === 'home') return { ...field, at: 0 }
  if (key === 'end') return { ...field, at: text.length }
  return field
}

function editChoice(state: FormState, key: PressedKey): QuestionField {
  const { field } = state
  const last = filterChoices(state).length - 1
  if (key === 'up') return { ...field, picked: field.picked <= 0 ? last : field.picked - 1 }
  if (key === 'down') return { ...field, picked: field.picked >= last ? 0 : field.picked + 1 }
  if (key === 'home') return { ...field, picked: 0 }
  if (key === 'end') return { ...field, picked: Math.max(0, last) }
  const filtered = editText(state, key)
  return filtered.text === field.text ? field : { ...filtered, picked: 0 }
}

function editYesNo({ field }: FormState, key: PressedKey): QuestionField {
  if (typeof key === 'object') {
    const letter = key.character.toLowerCase()
    return letter === 'y' ? { ...field, picked: 0 } : letter === 'n' ? { ...field, picked: 1 } : field
  }
  const turns = key === 'left' || key === 'right' || key === 'up' || key === 'down'
  return turns ? { ...field, picked: 1 - field.picked } : field
}
