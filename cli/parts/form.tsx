// Questions one after the other: answered ones stay above as one line each, the current one has the keyboard.
import { Box, Text } from 'ink'
import { useEffect, useReducer } from 'react'
import { Confirm } from './confirm.tsx'
import {
  choicesOf,
  currentQuestion,
  derive,
  press,
  startForm,
  type Answers,
  type FormState,
  type Question,
} from './form-state.ts'
import { oneLine, visible } from '../visible.ts'
import { useKeys, type Key } from './keys.ts'
import { Select } from './select.tsx'
import { TextField } from './text-field.tsx'

export interface FormProps {
  title?: string
  questions: readonly Question[]
  /** Keys typed before this form was there. */
  typed?: readonly Key[]
  /** `answers` is null where the person left. */
  onEnd(answers: Answers | null, rest: readonly Key[]): void
}

/** Asks all questions, then reports once. */
export function Form({ title, questions, typed = [], onEnd }: FormProps) {
  const [state, dispatch] = useReducer(press, undefined, () => typed.reduce(press, startForm(questions)))
  useKeys(dispatch)
  useEffect(() => {
    if (state.status !== 'asking') onEnd(state.status === 'done' ? state.answers : null, state.rest)
  }, [state, onEnd])

  const question = currentQuestion(state)
  return (
    <Box flexDirection="column">
      {title ? <Text bold>{oneLine(title)}</Text> : null}
      {questions.slice(0, state.index).map((answered) =>
        answered.name in state.answers && answered.when?.(state.answers) !== false ? (
          <Text key={answered.name}>
            <Text color="green">✔ </Text>
            {answered.label} <Text dimColor>{oneLine(shownAnswer(answered, state.answers))}</Text>
          </Text>
        ) : null,
      )}
      {state.status === 'asking' && question ? <Current state={state} question={question} /> : null}
    </Box>
  )
}

function Current({ state, question }: { state: FormState; question: Question }) {
  const { field, answers, problem } = state
  const hint = visible(derive(question.hint, answers) ?? derive(question.fallback, answers) ?? '')
  const inLine = question.kind === 'text' || question.kind === 'secret'
  return (
    <Box flexDirection="column">
      <Text>
        <Text color="cyan">? </Text>
        <Text bold>{question.label} </Text>
        {inLine ? <TextField {...field} masked={question.kind === 'secret'} hint={hint} /> : null}
        {question.kind === 'yes_no' ? <Confirm picked={field.picked} /> : null}
      </Text>
      {!inLine && hint ? <Text dimColor> {hint}</Text> : null}
      {question.kind === 'choice' ? (
        <Select choices={choicesOf(state)} picked={field.picked} filter={field.text.join('')} />
      ) : null}
      {problem ? <Text color="red"> {visible(problem)}</Text> : null}
      <Text dimColor>
        {question.kind === 'choice' ? '↑↓ choose · type to filter · ' : ''}Enter next
        {state.index > 0 ? ' · Esc back' : ''} · Ctrl+C cancel
      </Text>
    </Box>
  )
}

function shownAnswer(question: Question, answers: Answers): string {
  const value = answers[question.name] ?? ''
  if (question.kind === 'secret') return value === '' ? '' : '••••••••'
  if (question.kind !== 'choice') return value
  return derive(question.choices, answers)?.find((choice) => choice.value === value)?.label ?? value
}
