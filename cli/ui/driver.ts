// Carries out the wishes of keys: loads pages, asks, runs commands of weir. It does not depend on a terminal and draws
// nothing.
import { composeWords, fillTemplate, type Words } from '../../core/errors.ts'
import { toCliFailure } from '../failure.ts'
import { asUntranslatedText, pickLanguage } from '../language.ts'
import { openField, startFieldList } from '../parts/field-list-state.ts'
import { replaceFieldText, startTerminalForm, type FormState } from '../parts/form-state.ts'
import type { PressedKey, MouseEventPoint } from '../parts/keys.ts'
import type { ColumnMemory, CellTone } from '../output/table.ts'
import { createColumnMemory, formatRecordLines, wrapTextToWidth } from '../output/table.ts'
import { words } from '../texts.ts'
import { formatShownValue } from '../output/view.ts'
import { buildCommandWords, hideSecretInputs, toUiAction } from './acts.ts'
import { layOutJson, toFieldText } from './editor-text.ts'
import { completeLine, joinCommandWords, splitAtAnd, splitCommandLine } from './command-line.ts'
import type { ScreenFrame } from './screen.ts'
import { buildFrameLines, buildHelpLines, findPointedTarget, countVisibleRows, getTextLineCount } from './screen.ts'
import { splitTypedWords } from '../completion/complete.ts'
import { createLoader } from './loader.ts'
import type { RowOrder } from './arrange.ts'
import type { AnyPage, OpenedDetails, UiAction, UiPagePorts } from './page.ts'
import * as states from './state.ts'
import { getPagePlace, type RowAction, type PageOverlay, type UiState, type KeyWish } from './state.ts'

export interface DriverOptions {
  pages: readonly AnyPage[]
  ports: UiPagePorts
  /** Name of the connected gateway. */
  label: string
  size(): { columns: number; rows: number }
  paint(text: string, tone: CellTone): string
  /** Runs the words after `weir`. Returns their exit code and output. */
  command(words: readonly string[], signal: AbortSignal): Promise<{ code: number; output: string }>
  /** Returns the words that can follow at the end of a command line. */
  complete?(line: readonly string[]): Promise<readonly string[]>
  /** The order of the first page at the start. */
  order?: RowOrder
  /** Opens a text in the person's editor and returns the result. `name` is the file name. */
  editor?(name: string, text: string): Promise<string>
  copy(text: string): void
  mouse(on: boolean): void
  quit(): void
  /** Called when the screen must be redrawn. */
  changed(): void
  now?(): number
}

export interface Driver {
  readonly state: UiState
  /** Returns the current lines of the screen. */
  lines(): string[]
  press(key: PressedKey): void
  point(pointed: MouseEventPoint): void
  /** Called regularly; reloads pages that load with every beat. */
  beat(): void
  /** Reports why new calls do not arrive; undefined if they do. */
  cutOff(error: unknown): void
  /** Loads the first page. */
  start(): Promise<void>
  stop(): void
}

/** Rows scrolled by one step of the wheel. */
const WHEEL_ROWS = 3
const NOTHING_CHANGED = words('Nothing was changed.')
const DONE = words('Done.')
const STOPPED_WAITING = words('Stopped waiting: it may still complete.')
const ONE_AT_A_TIME = words('This is for one row at a time: Esc clears the marks.')
const FOR_ALL = words('{action}: {names}?')
const DONE_FOR_ALL = words('Done for {count} rows.')
const STOPPED_AT = words('Done for {done} of {count} rows; stopped at {row_name}: {problem}')
const COPIED = words('Copied {text}')
const COPIED_ALL = words('Copied the text.')
const MOUSE_ON = words('The mouse is on: click a row or a page, turn the wheel; Shift marks text.')
const MOUSE_OFF = words('The mouse is off.')

type EditedOverlay = PageOverlay & { kind: 'form' | 'fields' }

interface RunDisplay {
  /** The command line as it is shown, without secrets. */
  shown?: readonly string[]
  /** True if the output is shown only once. */
  stays?: boolean
  isChange?: boolean
  /** The list that returns if the command fails. */
  fields?: states.FieldsOverlay
}

export function createDriver(options: DriverOptions): Driver {
  const { pages, ports, label, size, paint, now = Date.now } = options
  const { language } = ports
  let state = states.createStartState(pages, options.order)
  const memories = new Map<string, ColumnMemory>()
  const waiting: PressedKey[] = []
  let held: AbortController | undefined
  let lost: string | undefined

  const change = (next: UiState) => {
    state = next
    options.changed()
  }
  const showMessage = (text: Words, bad = false) => change(states.withFooterMessage(state, { text, bad }))
  /** Discards keys typed ahead, because they were meant for something else. */
  const refuse = (text: Words) => {
    waiting.length = 0
    showMessage(text, true)
  }
  const formatError = (error: unknown) => toCliFailure(error, language)?.message ?? String(error)
  const page = () => pages[state.page]
  const loader = createLoader({
    pages,
    ports,
    state: { get: () => state, set: (next) => (state = next) },
    sentenceOf: formatError,
    onLoaded() {
      options.changed()
      drain()
    },
  })
  const rowsNow = () => loader.now()?.rows ?? []

  function frame(): ScreenFrame {
    // Column widths are kept for each page, size and filter, so that columns stay aligned.
    const { columns, rows } = size()
    const remembered = `${state.page} ${columns} ${getPagePlace(state).filter}`
    const memory = memories.get(remembered) ?? createColumnMemory()
    memories.set(remembered, memory)
    const trouble = loader.failing() ?? lost
    const known = { loaded: loader.now(), ...(trouble ? { trouble } : {}) }
    return { columns, rows, language, label, now: now(), pages, state, ports, memory, paint, ...known }
  }

  function press(key: PressedKey): void {
    if (held && (key === 'cancel' || key === 'back')) {
      waiting.length = 0
      return key === 'cancel' ? options.quit() : held.abort()
    }
    waiting.push(key)
    drain()
  }

  /**
   * Handles waiting keys one after the other: keys after an action wait until it asks, keys about a row until rows are
   * loaded.
   */
  function drain(): void {
    while (!held && waiting[0] !== undefined) {
      if (!loader.settled() && states.needsMarkedRow(state, waiting[0], pages)) return
      const key = waiting.shift() as PressedKey
      const room = { room: countVisibleRows(frame()), textRoom: getTextLineCount(size()) }
      const [next, wish] = states.pressUiKey(state, key, { pages, rows: rowsNow(), ...room })
      change(next)
      if (wish) carryOut(wish)
    }
  }

  /** Blocks all keys until the work is done, except Esc, which stops waiting. */
  function hold(work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController()
    held = controller
    const left = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()))
    const reportError = (error: unknown) =>
      controller.signal.aborted ? undefined : refuse(asUntranslatedText(formatError(error)))
    // Deferred, so that keys that arrived together are all queued before one of them is refused.
    const done = Promise.resolve()
      .then(() => work(controller.signal))
      .catch(reportError)
    void Promise.race([done, left]).then(() => {
      held = undefined
      if (controller.signal.aborted)
        change({ ...states.withFooterMessage(state, { text: STOPPED_WAITING, bad: false }), busy: false })
      drain()
    })
  }

  function carryOut(wish: KeyWish): void {
    const one = page()
    if (!one) return
    switch (wish.kind) {
      case 'quit':
        return options.quit()
      case 'load':
        return loader.again(wish.typing)
      case 'complete':
        return void complete(wish.text)
      case 'help':
        return change(states.withOverlay(state, { kind: 'text', title: one.title[language], lines: help(), first: 0 }))
      case 'mouse':
        options.mouse(!state.mouse)
        return change({
          ...states.withFooterMessage(state, toMessage(state.mouse ? MOUSE_OFF : MOUSE_ON)),
          mouse: !state.mouse,
        })
      case 'copy':
        return copy(one.copied(wish.row as never))
      case 'copyText':
        options.copy(wish.text)
        return showMessage(COPIED_ALL)
      case 'open':
        return hold(async () => change(states.withOverlay(state, await loadDetails(one, wish.row as never))))
      case 'ask':
        return hold((signal) => ask(one, { questions: [], answers: {}, ...wish }, signal))
      case 'answered':
        return hold((signal) => reopening(wish.act, sure(one, wish.act, signal)))
      case 'editor':
        return hold(() => editField(wish.over).catch((error: unknown) => showInOverlay(wish.over, error)))
      case 'do':
        return hold((signal) => act(one, wish.act, signal))
      case 'command':
        return command(wish.text)
    }
  }

  const isPlainChange = ({ sure, detailed }: UiAction<never>) => sure !== undefined && !detailed
  const toMessage = (text: Words) => ({ text, bad: false })
  const help = () => buildHelpLines({ pages, state, paint, language })

  function copy(text: string): void {
    options.copy(text)
    showMessage(fillTemplate(COPIED, { text }))
  }

  /** Continues the typed command line, as a shell does. */
  async function complete(text: string): Promise<void> {
    const candidates = (await options.complete?.(splitTypedWords(text))) ?? []
    const names = text.includes(' ') ? [] : pages.map(({ name }) => name)
    const { over } = state
    if (over?.kind !== 'typing' || over.text !== text) return
    change(states.withOverlay(state, { ...over, ...completeLine(text, [...names, ...candidates]) }))
  }

  /** Opens a page by its name, with a filter if one is given. Returns false if none is called so. */
  function openPage(name: string, filter?: string): boolean {
    const place = pages.findIndex((one) => one.name === name)
    if (place < 0) return false
    change(states.goToPage(state, place)[0])
    if (filter !== undefined) change(states.setFilter(state, filter)[0])
    carryOut({ kind: 'load' })
    return true
  }

  function command(text: string): void {
    if (openPage(text)) return
    if (text === 'q' || text === 'quit') return options.quit()
    hold((signal) => run(splitCommandLine(text), signal))
  }

  const act = (one: AnyPage, wished: RowAction, signal: AbortSignal) =>
    wished.rows
      ? actOnEach(one, wished, wished.rows, signal)
      : run(buildCommandWords(one, wished), signal, {
          shown: buildCommandWords(one, hideSecretInputs(wished)),
          stays: toUiAction(one, wished).once === true,
          isChange: isPlainChange(toUiAction(one, wished)),
          fields: wished.fields,
        })

  /** Shows the list of fields again, with the reason why its changes are not saved. */
  const reopen = (fields: states.FieldsOverlay, problem: Words) =>
    change(states.withOverlay(state, { ...fields, list: { ...fields.list, problem } }))

  /** Shows the list of fields again if the work fails. */
  const reopening = ({ fields }: RowAction, work: Promise<void>) =>
    fields ? work.catch((error: unknown) => reopen(fields, asUntranslatedText(formatError(error)))) : work

  /** Shows an error below the current question. */
  function showInOverlay(over: EditedOverlay, error: unknown): void {
    const problem = asUntranslatedText(formatError(error))
    const shown =
      over.kind === 'form' ? { ...over, form: { ...over.form, problem } } : { ...over, list: { ...over.list, problem } }
    change(states.withOverlay(state, shown))
  }

  /** Edits the text of the current field in the person's editor. A JSON text is laid out there, and is one line here. */
  async function editField(over: EditedOverlay): Promise<void> {
    const list = over.kind === 'fields' ? (over.list.field ? over.list : openField(over.list)) : undefined
    const form = over.kind === 'form' ? over.form : list?.field
    const question = form?.questions[form.index]
    if (!form || question?.kind !== 'text' || !options.editor) return
    const typed = form.field.text.join('')
    const { text, isJson } = layOutJson(typed)
    const edited = await options.editor(`${question.name}.${isJson ? 'json' : 'txt'}`, `${text}\n`)
    const answer: FormState = replaceFieldText(form, toFieldText(edited))
    change(
      states.withOverlay(
        state,
        over.kind === 'form' ? { ...over, form: answer } : { ...over, list: { ...list!, field: answer } },
      ),
    )
  }

  /** Runs the action for each marked row, and stops at the first that fails. Marks stay on rows that are not done. */
  async function actOnEach(one: AnyPage, wished: RowAction, rows: readonly unknown[], signal: AbortSignal) {
    change({ ...state, busy: true })
    try {
      for (const [done, row] of rows.entries()) {
        const { code, output } = await options.command(buildCommandWords(one, { ...wished, row }), signal)
        if (signal.aborted) return
        if (code !== 0) {
          const problem = output.trim().replace(/^weir: /, '')
          const row_name = one.copied(row as never)
          return showMessage(fillTemplate(STOPPED_AT, { done, count: rows.length, row_name, problem }), true)
        }
      }
      change(states.clearMarks(state))
      showMessage(fillTemplate(DONE_FOR_ALL, { count: rows.length }))
    } finally {
      if (!signal.aborted) change({ ...state, busy: false })
      loader.again()
    }
  }

  /** Runs the words after `weir` and shows the result, under the masked command line. */
  async function run(
    line: readonly string[],
    signal: AbortSignal,
    { shown = line, stays = false, isChange = false, fields }: RunDisplay = {},
  ): Promise<void> {
    change({ ...state, busy: true })
    try {
      const { code, output } = await runEach(splitAtAnd(line), signal)
      if (signal.aborted) return
      const text = output.replace(/\n+$/, '')
      const lines = text.split('\n')
      if (code !== 0 && fields) return reopen(fields, asUntranslatedText(text.replace(/^weir: /, '')))
      // The result of a change is one line; its row shows the rest.
      const isShort = lines.length < 2 || (isChange && code === 0)
      if (isShort && !(stays && code === 0))
        showMessage(text === '' ? DONE : asUntranslatedText(lines[0]!.replace(/^weir: /, '')), code !== 0)
      else {
        const wrapping = lines.flatMap((each) => (stays ? wrapTextToWidth(each, size().columns - 1) : each))
        change(states.withOverlay(state, { kind: 'text', title: joinCommandWords(shown), lines: wrapping, first: 0 }))
      }
    } finally {
      if (!signal.aborted) change({ ...state, busy: false })
      loader.again()
    }
  }

  /** Runs command lines until one fails. Returns the last exit code and all output. */
  async function runEach(lines: readonly (readonly string[])[], signal: AbortSignal) {
    const result = { code: 0, output: '' }
    for (const line of lines) {
      if (result.code !== 0 || signal.aborted) break
      const { code, output } = await options.command(line[0] === 'weir' ? line.slice(1) : line, signal)
      result.code = code
      result.output += output
    }
    return result
  }

  async function loadDetails(one: AnyPage, row: never): Promise<PageOverlay> {
    const fields = Object.values(one.view).map((each): OpenedDetails[number] => [
      each.title,
      formatShownValue(each, row, { language, money: ports.money }),
    ])
    const more = one.opened ? await one.opened(ports, row) : []
    const cells = [...fields, ...more].map(([title, text]) => [pickLanguage(title, language), text, undefined] as const)
    const lines = formatRecordLines(cells, { width: size().columns - 2, paint }).map((line) => ` ${line}`)
    return { kind: 'text', title: `${one.title[language]}: ${one.copied(row)}`, lines, first: 0 }
  }

  /** Asks for the required values, then for confirmation. */
  async function ask(one: AnyPage, act: RowAction, signal: AbortSignal): Promise<void> {
    const action = toUiAction(one, act)
    const row = act.row as never
    for (const each of act.rows ?? [row]) {
      const cannot = each === undefined ? undefined : action.unless?.(each as never)
      if (cannot) return refuse(cannot)
    }
    if (act.rows && (action.form || action.once || !action.sure)) return refuse(ONE_AT_A_TIME)
    if (action.opensPage) {
      const [name = '', filter] = buildCommandWords(one, act)
      return void openPage(name, filter)
    }
    const questions = action.form ? await action.form(row, ports) : []
    if (signal.aborted) return
    if (questions.length === 0) return sure(one, act, signal)
    const formAct = { ...act, questions }
    const of = row === undefined || action.rowless ? '' : `: ${one.copied(row)}`
    const title = composeWords((language) => action.name[language] + of)
    const isList = action.edits && questions.length > 1
    change(
      states.withOverlay(
        state,
        isList
          ? { kind: 'fields', title, list: startFieldList(questions), act: formAct }
          : { kind: 'form', title, form: startTerminalForm(questions), act: formAct },
      ),
    )
  }

  async function sure(one: AnyPage, act: RowAction, signal: AbortSignal): Promise<void> {
    const { sure: questionFor } = toUiAction(one, act)
    const line = buildCommandWords(one, act)
    if (line.length === 0) return act.fields ? reopen(act.fields, NOTHING_CHANGED) : showMessage(NOTHING_CHANGED)
    if (!questionFor) return run(line, signal)
    const question = act.rows
      ? fillTemplate(FOR_ALL, {
          action: toUiAction(one, act).name,
          names: act.rows.map((row) => one.copied(row as never)).join(', '),
        })
      : await questionFor(act.row as never, act.answers, ports)
    const shown = `weir ${joinCommandWords(buildCommandWords(one, hideSecretInputs(act)))}`
    if (!signal.aborted) change(states.withOverlay(state, { kind: 'sure', question, line: shown, act }))
  }

  return {
    get state() {
      return state
    },
    lines: () => buildFrameLines(frame()),
    press,
    point({ what, column, row }) {
      if (held) return
      const { over } = state
      const step = what === 'wheelUp' ? -WHEEL_ROWS : what === 'wheelDown' ? WHEEL_ROWS : 0
      if (over?.kind === 'text') return change(states.scrollText(state, over, step, getTextLineCount(size())))
      if (over) return
      const seen = { rows: rowsNow(), room: countVisibleRows(frame()) }
      if (step !== 0) return change(states.markRow(state, getPagePlace(state).at + step, seen))
      const place = findPointedTarget(frame(), column, row)
      if (!place) return
      if ('at' in place && place.at === getPagePlace(state).at) return press('enter')
      if ('at' in place) return change(states.markRow(state, place.at, seen))
      change(states.goToPage(state, place.page)[0])
      carryOut({ kind: 'load' })
    },
    beat() {
      if (page()?.every_ms === 0) void loader.load()
      else options.changed()
    },
    cutOff(error) {
      lost = error === undefined ? undefined : formatError(error)
      options.changed()
    },
    start: loader.load,
    stop: loader.stop,
  }
}
