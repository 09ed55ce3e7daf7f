// Questions one after the other: answered ones stay above as one line each, the current one has the keyboard.
import { Box } from 'ink'
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
import { oneLine } from '../../core/logs/visible.ts'
import { useKeys, type Key } from './keys.ts'
import { Line } from './line.tsx'
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
      {title ? <Line bold>{oneLine(title)}</Line> : null}
      {questions.slice(0, state.index).map((answered) =>
        answered.name in state.answers && answered.when?.(state.answers) !== false ? (
          <Line key={answered.name}>
            <Line color="green">✔ </Line>
            {answered.label} <Line dimColor>{oneLine(shownAnswer(answered, state.answers))}</Line>
          </Line>
        ) : null,
      )}
      {state.status === 'asking' && question ? <Current state={state} question={question} /> : null}
    </Box>
  )
}

function Current({ state, question }: { state: FormState; question: Question }) {
  const { field, answers, problem } = state
  const hint = derive(question.hint, answers) ?? derive(question.fallback, answers) ?? ''
  const inLine = question.kind === 'text' || question.kind === 'secret'
  return (
    <Box flexDirection="column">
      <Line>
        <Line color="cyan">? </Line>
        <Line bold>{question.label} </Line>
        {inLine ? <TextField {...field} masked={question.kind === 'secret'} hint={hint} /> : null}
        {question.kind === 'yes_no' ? <Confirm picked={field.picked} /> : null}
      </Line>
      {!inLine && hint ? <Line dimColor> {hint}</Line> : null}
      {question.kind === 'choice' ? (
        <Select choices={choicesOf(state)} picked={field.picked} filter={field.text.join('')} />
      ) : null}
      {problem ? <Line color="red"> {problem}</Line> : null}
      <Line dimColor>
        {question.kind === 'choice' ? '↑↓ choose · type to filter · ' : ''}Enter next
        {state.index > 0 ? ' · Esc back' : ''} · Ctrl+C cancel
      </Line>
    </Box>
  )
}

function shownAnswer(question: Question, answers: Answers): string {
  const value = answers[question.name] ?? ''
  if (question.kind === 'secret') return value === '' ? '' : '••••••••'
  if (question.kind !== 'choice') return value
  return derive(question.choices, answers)?.find((choice) => choice.value === value)?.label ?? value
}
