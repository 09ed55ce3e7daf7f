// Questions one after the other: earlier answers stay above as one line each, and the current question has the
// keyboard.
import { Box, Text, type TextProps } from 'ink'
import { Children, useEffect, useReducer } from 'react'
import { escapeControlCharacters, toOneLine } from '../../core/logs/visible.ts'
import { asUntranslatedText, type BilingualText } from '../language.ts'
import type { FormAnswers, FormChoice, FormState, FormQuestion } from './form-state.ts'
import { filterChoices, getCurrentQuestion, deriveFromAnswers, pressFormKey, startTerminalForm } from './form-state.ts'
import { type PressedKey, useKeyPresses } from './keys.ts'
import { useTranslate } from './speaking.ts'
import { words } from '../texts.ts'

// The only component that draws text, so that nothing in a name or an answer can move the cursor, change colours or
// hide text.

/** Draws text with Ink, with hidden characters made visible. */
export const Line = ({ children, ...more }: TextProps) => (
  <Text {...more}>
    {Children.map(children, (child) => (typeof child === 'string' ? escapeControlCharacters(child) : child))}
  </Text>
)

// A yes-or-no choice; Enter takes the marked answer.

const ANSWERS = [words('Yes'), words('No')]

/** Draws the two answers; `picked` 0 is yes. */
export function Confirm({ picked }: { picked: number }) {
  const say = useTranslate()
  return (
    <Line>
      {ANSWERS.map(say).map((word, at) => (
        <Line key={word} inverse={at === picked}>
          {at === picked ? `[${word}]` : ` ${word} `}
        </Line>
      ))}
      <Line dimColor> y / n</Line>
    </Line>
  )
}

// A list to pick from, filtered by typing; a long list is shown as a window.

const VISIBLE_ROWS = 8
const FILTER = words('filter:')
const NOTHING = words('nothing matches')
const MORE = words('more')

/** Draws the choices around the marked one. */
export function Select({
  choices,
  picked,
  filter,
}: {
  choices: readonly FormChoice[]
  picked: number
  filter: string
}) {
  const say = useTranslate()
  const first = Math.max(0, Math.min(picked - Math.floor(VISIBLE_ROWS / 2), choices.length - VISIBLE_ROWS))
  const below = choices.length - first - VISIBLE_ROWS
  return (
    <Box flexDirection="column">
      {filter === '' ? null : (
        <Line dimColor>
          {say(FILTER)} {filter}
        </Line>
      )}
      {choices.length === 0 ? <Line color="yellow">{say(NOTHING)}</Line> : null}
      {first > 0 ? (
        <Line dimColor>
          {' '}
          ↑ {first} {say(MORE)}
        </Line>
      ) : null}
      {choices.slice(first, first + VISIBLE_ROWS).map(({ value, label, hint }, offset) => (
        <Line key={value} color={first + offset === picked ? 'cyan' : undefined}>
          {first + offset === picked ? '❯ ' : '  '}
          {toOneLine(say(label))}
          {hint ? <Line dimColor> {toOneLine(say(hint))}</Line> : null}
        </Line>
      ))}
      {below > 0 ? (
        <Line dimColor>
          {' '}
          ↓ {below} {say(MORE)}
        </Line>
      ) : null}
    </Box>
  )
}

// A text field with its cursor; a secret one shows a dot for each character.

/** Characters of a long text that are drawn before and after the cursor. */
const VISIBLE_BEFORE = 240
const VISIBLE_AFTER = 80

/** Draws the field; `at` is the position of the cursor. */
export function TextField({
  text,
  at,
  masked,
  hint,
}: {
  text: readonly string[]
  at: number
  masked: boolean
  hint?: string
}) {
  const shown = masked ? text.map(() => '•') : text.map((letter) => (letter === '\n' ? '⏎' : letter))
  const first = Math.max(0, at - VISIBLE_BEFORE)
  const end = at + 1 + VISIBLE_AFTER
  return (
    <Line>
      {first > 0 ? '…' : ''}
      {shown.slice(first, at).join('')}
      <Line inverse>{shown[at] ?? ' '}</Line>
      {shown.slice(at + 1, end).join('')}
      {shown.length > end ? '…' : ''}
      {text.length === 0 && hint ? <Line dimColor> {hint}</Line> : null}
    </Line>
  )
}

export interface FormProps {
  title?: string
  questions: readonly FormQuestion[]
  /** Keys typed before the form was shown. */
  typed?: readonly PressedKey[]
  /** `answers` is null if the person left. */
  onEnd(answers: FormAnswers | null, rest: readonly PressedKey[]): void
}

/** Asks all questions, then reports once. */
export function TerminalForm({ title, questions, typed = [], onEnd }: FormProps) {
  const [state, dispatch] = useReducer(pressFormKey, undefined, () =>
    typed.reduce(pressFormKey, startTerminalForm(questions)),
  )
  useKeyPresses(dispatch)
  useEffect(() => {
    if (state.status !== 'asking') onEnd(state.status === 'done' ? state.answers : null, state.rest)
  }, [state, onEnd])

  return <TerminalFormView title={title} state={state} />
}

/** Lines that one question with its choices takes, in addition to the answers above it. */
const QUESTION_LINES = 8

/** Draws the form. If `room` lines are too few, the first answers are left out. */
export function TerminalFormView({
  title,
  state,
  room = Infinity,
  editor = false,
}: {
  title?: string
  state: FormState
  room?: number
  editor?: boolean
}) {
  const { questions, index } = state
  const first = Math.max(0, index - Math.max(0, room - QUESTION_LINES))
  const question = getCurrentQuestion(state)
  const say = useTranslate()
  return (
    <Box flexDirection="column">
      {title ? <Line bold>{toOneLine(title)}</Line> : null}
      {questions.slice(first, index).map((answered) =>
        answered.name in state.answers && answered.when?.(state.answers) !== false ? (
          <Line key={answered.name}>
            <Line color="green">✔ </Line>
            {say(answered.label)} <Line dimColor>{toOneLine(say(formatAnswer(answered, state.answers)))}</Line>
          </Line>
        ) : null,
      )}
      {state.status === 'asking' && question ? <Current state={state} question={question} editor={editor} /> : null}
    </Box>
  )
}

/** Draws one question with its field, its help and its keys. */
export function Current({
  state,
  question,
  inList = false,
  editor = false,
}: {
  state: FormState
  question: FormQuestion
  /** Whether it is a field of a list, to which Enter and Esc lead back. */
  inList?: boolean
  /** Whether Ctrl+O opens an editor. */
  editor?: boolean
}) {
  const { field, answers, problem } = state
  const say = useTranslate()
  const hintText = deriveFromAnswers(question.hint, answers)
  const hint = hintText ? say(hintText) : (deriveFromAnswers(question.fallback, answers) ?? '')
  const inLine = question.kind === 'text' || question.kind === 'secret'
  return (
    <Box flexDirection="column">
      <Line>
        <Line color="cyan">? </Line>
        <Line bold>{say(question.label)} </Line>
        {inLine ? <TextField {...field} masked={question.kind === 'secret'} hint={hint} /> : null}
        {question.kind === 'yes_no' ? <Confirm picked={field.picked} /> : null}
      </Line>
      {hint && (!inLine || (inList && field.text.length > 0)) ? <Line dimColor> {hint}</Line> : null}
      {question.kind === 'choice' ? (
        <Select choices={filterChoices(state)} picked={field.picked} filter={field.text.join('')} />
      ) : null}
      {problem ? <Line color="red"> {say(problem)}</Line> : null}
      <Line dimColor>
        {[
          ...(question.kind === 'choice' ? [say(CHOOSE)] : []),
          ...(inList ? [say(KEEP)] : [say(NEXT)]),
          ...(editor && question.kind === 'text' ? [say(EDITOR)] : []),
          ...(inList || state.index > 0 ? [say(BACK)] : []),
          ...(inList ? [] : [say(CANCEL)]),
        ].join(' · ')}
      </Line>
    </Box>
  )
}

const CHOOSE = words('↑↓ choose · type to filter')
const KEEP = words('Enter keep')
const EDITOR = words('Ctrl+O $EDITOR')
const NEXT = words('Enter next')
const BACK = words('Esc back')
const CANCEL = words('Ctrl+C cancel')

const YES = words('yes')
const NO = words('no')

/** Returns an answer as it is shown: a secret masked, a choice by its label. */
export function formatAnswer(question: FormQuestion, answers: FormAnswers): BilingualText {
  const value = answers[question.name] ?? ''
  if (question.kind === 'secret') return asUntranslatedText(value === '' ? '' : '••••••••')
  if (question.kind === 'yes_no') return value === 'yes' ? YES : NO
  const chosen =
    question.kind === 'choice' && deriveFromAnswers(question.choices, answers)?.find((one) => one.value === value)
  return chosen ? chosen.label : asUntranslatedText(value)
}
