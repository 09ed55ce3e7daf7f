// Draws all fields of one thing: a line for each with its value, and below them the question of the current field.
import { Box } from 'ink'
import { useEffect, useReducer } from 'react'
import { toOneLine } from '../../core/logs/visible.ts'
import { cutToWidth } from '../output/table.ts'
import stringWidth from 'fast-string-width'
import { fillTemplate } from '../../core/errors.ts'
import { words } from '../texts.ts'
import { listChangedFields, pressFieldListKey, startFieldList, type FieldListState } from './field-list-state.ts'
import { Current, Line, formatAnswer } from './form.tsx'
import { deriveFromAnswers, filterChoices, type FormAnswers, type FormQuestion } from './form-state.ts'
import { type PressedKey, useKeyPresses } from './keys.ts'
import { useTranslate } from './speaking.ts'

/** Widest column of the names, in columns of the terminal. */
const MAX_LABEL_WIDTH = 26
/** Lines of the title, of the help and of the keys. */
const FRAME_LINES = 6
/** Lines around the choices of a question: the question itself, its filter, what is above and below, help, problem, keys. */
const QUESTION_LINES = 7
const VISIBLE_CHOICES = 8
const MIN_ROWS = 3
const MARKS = 4

interface FieldListViewProps {
  title: string
  state: FieldListState
  /** Lines and columns to draw on. */
  room: number
  width: number
  /** Whether Ctrl+O opens an editor. */
  editor?: boolean
}

/** Draws the list within `room` lines; the current field is always visible. */
export function FieldListView({ title, state, room, width, editor = false }: FieldListViewProps) {
  const say = useTranslate()
  const { questions, answers, at, field, search, problem, status } = state
  const changed = listChangedFields(state)
  const count = Object.keys(changed).length
  const labels = questions.map(({ label }) => toOneLine(say(label)))
  const labelWidth = Math.min(MAX_LABEL_WIDTH, Math.max(...labels.map((label) => stringWidth(label))))
  const valueWidth = Math.max(MIN_ROWS, width - labelWidth - MARKS - 2)
  const rows = Math.max(MIN_ROWS, Math.min(questions.length, room - countPanelLines(field, width)))
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), questions.length - rows))
  const current = questions[at]
  const help = current && deriveFromAnswers(current.hint, answers)
  const position = `${at + 1}/${questions.length}`
  const heading = count === 0 ? title : `${title} · ${say(fillTemplate(CHANGED_FIELDS, { count }))}`
  return (
    <Box flexDirection="column">
      <Box justifyContent="space-between" width={width}>
        <Line bold>{cutToWidth(toOneLine(heading), width - position.length - 1)}</Line>
        <Line>{position}</Line>
      </Box>
      {questions.slice(first, first + rows).map((question, offset) => {
        const isCurrent = first + offset === at
        const isChanged = question.name in changed
        const label = cutToWidth(labels[first + offset]!, labelWidth)
        const blanks = ' '.repeat(labelWidth - stringWidth(label))
        const value = cutToWidth(toOneLine(say(formatAnswer(question, answers))), valueWidth)
        return (
          <Line key={question.name} color={isCurrent ? 'cyan' : isChanged ? 'yellow' : undefined}>
            {isCurrent ? '❯' : ' '}
            {isChanged ? '*' : ' '} {label}
            {blanks}
            {'  '}
            {value}
          </Line>
        )
      })}
      <Line> </Line>
      {field && current ? (
        <Current state={field} question={current} inList editor={editor} />
      ) : status === 'leaving' ? (
        <>
          <Line color="yellow">{say(fillTemplate(UNSAVED, { count }))}</Line>
          <Line bold>{say(LEAVE_KEYS)}</Line>
        </>
      ) : (
        <>
          {search ? <Line>/{search.text}</Line> : help ? <Line dimColor>{toOneLine(say(help))}</Line> : null}
          {problem ? <Line color="red">{toOneLine(say(problem))}</Line> : null}
          <Line dimColor>{say(search ? SEARCH_KEYS : editor ? KEYS_WITH_EDITOR : KEYS)}</Line>
        </>
      )}
    </Box>
  )
}

/** Estimates the lines below the list, so that the list takes the rest. */
function countPanelLines(field: FieldListState['field'], width: number): number {
  if (!field) return FRAME_LINES
  const choices = Math.min(VISIBLE_CHOICES, filterChoices(field).length)
  return QUESTION_LINES + choices + Math.floor(field.field.text.length / width)
}

const CHANGED_FIELDS = words('{count} changed', { context: 'fields' })
const UNSAVED = words('Unsaved changes: {count}')
const LEAVE_KEYS = words('s save · d discard · Esc go on editing')
const SEARCH_KEYS = words('Type a part of a name · ↓ next · Enter stay here · Esc go back')
const KEYS = words('↑↓, a letter or / move · Enter change · ⌫ undo · Ctrl+S save · Esc close')
const KEYS_WITH_EDITOR = words(
  '↑↓, a letter or / move · Enter change · Ctrl+O $EDITOR · ⌫ undo · Ctrl+S save · Esc close',
)

interface FieldListFormProps {
  title: string
  questions: readonly FormQuestion[]
  typed?: readonly PressedKey[]
  size: { columns: number; rows: number }
  /** `changed` is null if the person left. */
  onEnd(changed: FormAnswers | null, rest: readonly PressedKey[]): void
}

/** Shows the list until it is saved or left, then reports once. */
export function FieldListForm({ title, questions, typed = [], size, onEnd }: FieldListFormProps) {
  const [{ list, rest }, dispatch] = useReducer(pressCounted, undefined, () =>
    typed.reduce(pressCounted, { list: startFieldList(questions), rest: [] }),
  )
  useKeyPresses(dispatch)
  useEffect(() => {
    if (list.status === 'saved') onEnd(listChangedFields(list), rest)
    if (list.status === 'cancelled') onEnd(null, rest)
  }, [list, rest, onEnd])
  return <FieldListView title={title} state={list} room={size.rows - 1} width={size.columns - 1} />
}

interface CountedList {
  list: FieldListState
  /** Keys after the end, typed ahead. */
  rest: readonly PressedKey[]
}

const pressCounted = ({ list, rest }: CountedList, key: PressedKey): CountedList =>
  list.status === 'saved' || list.status === 'cancelled'
    ? { list, rest: [...rest, key] }
    : { list: pressFieldListKey(list, key), rest }
