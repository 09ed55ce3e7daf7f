// Questions one after the other: earlier answers stay above as one line each, and the current question has the
// keyboard.
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
import { words } from '../../core/errors.ts'
import { oneLine } from '../../core/logs/visible.ts'
import { asData, type Said } from '../language.ts'
import { useKeys, type Key } from './keys.ts'
import { Line } from './line.tsx'
import { Select } from './select.tsx'
import { useSay } from './speaking.ts'
import { TextField } from './text-field.tsx'

export interface FormProps {
  title?: string
  questions: readonly Question[]
  /** Keys typed before the form was shown. */
  typed?: readonly Key[]
  /** `answers` is null if the person left. */
  onEnd(answers: Answers | null, rest: readonly Key[]): void
}

/** Asks all questions, then reports once. */
export function Form({ title, questions, typed = [], onEnd }: FormProps) {
  const [state, dispatch] = useReducer(press, undefined, () => typed.reduce(press, startForm(questions)))
  useKeys(dispatch)
  useEffect(() => {
    if (state.status !== 'asking') onEnd(state.status === 'done' ? state.answers : null, state.rest)
  }, [state, onEnd])

  return <FormView title={title} state={state} />
}

/** Lines that one question with its choices takes, in addition to the answers above it. */
const QUESTION_LINES = 8

/** Draws the form. If `room` lines are too few, the first answers are left out. */
export function FormView({ title, state, room = Infinity }: { title?: string; state: FormState; room?: number }) {
  const { questions, index } = state
  const first = Math.max(0, index - Math.max(0, room - QUESTION_LINES))
  const question = currentQuestion(state)
  const say = useSay()
  return (
    <Box flexDirection="column">
      {title ? <Line bold>{oneLine(title)}</Line> : null}
      {questions.slice(first, index).map((answered) =>
        answered.name in state.answers && answered.when?.(state.answers) !== false ? (
          <Line key={answered.name}>
            <Line color="green">✔ </Line>
            {say(answered.label)} <Line dimColor>{oneLine(say(shownAnswer(answered, state.answers)))}</Line>
          </Line>
        ) : null,
      )}
      {state.status === 'asking' && question ? <Current state={state} question={question} /> : null}
    </Box>
  )
}

function Current({ state, question }: { state: FormState; question: Question }) {
  const { field, answers, problem } = state
  const say = useSay()
  const hintText = derive(question.hint, answers)
  const hint = hintText ? say(hintText) : (derive(question.fallback, answers) ?? '')
  const inLine = question.kind === 'text' || question.kind === 'secret'
  return (
    <Box flexDirection="column">
      <Line>
        <Line color="cyan">? </Line>
        <Line bold>{say(question.label)} </Line>
        {inLine ? <TextField {...field} masked={question.kind === 'secret'} hint={hint} /> : null}
        {question.kind === 'yes_no' ? <Confirm picked={field.picked} /> : null}
      </Line>
      {!inLine && hint ? <Line dimColor> {hint}</Line> : null}
      {question.kind === 'choice' ? (
        <Select choices={choicesOf(state)} picked={field.picked} filter={field.text.join('')} />
      ) : null}
      {problem ? <Line color="red"> {say(problem)}</Line> : null}
      <Line dimColor>
        {[
          ...(question.kind === 'choice' ? [say(CHOOSE)] : []),
          say(NEXT),
          ...(state.index > 0 ? [say(BACK)] : []),
          say(CANCEL),
        ].join(' · ')}
      </Line>
    </Box>
  )
}

const CHOOSE = words('↑↓ choose · type to filter', '↑↓ 选择 · 输入以筛选')
const NEXT = words('Enter next', 'Enter 下一步')
const BACK = words('Esc back', 'Esc 返回')
const CANCEL = words('Ctrl+C cancel', 'Ctrl+C 取消')

const YES = words('yes', '是')
const NO = words('no', '否')

function shownAnswer(question: Question, answers: Answers): Said {
  const value = answers[question.name] ?? ''
  if (question.kind === 'secret') return asData(value === '' ? '' : '••••••••')
  if (question.kind === 'yes_no') return value === 'yes' ? YES : NO
  const chosen = question.kind === 'choice' && derive(question.choices, answers)?.find((one) => one.value === value)
  return chosen ? chosen.label : asData(value)
}
