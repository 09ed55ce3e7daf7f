// The whole terminal as a screen of lines: only changed lines are written, so that nothing flickers.
import stringWidth from 'fast-string-width'
import { EventEmitter } from 'node:events'
import { fillTemplate, type Language, type Words } from '../../core/errors.ts'
import { formatQuotaAmount } from '../output/format.ts'
import { pickLanguage } from '../language.ts'
import { stripColor } from '../output/paint.ts'
import { cutToWidth, type ColumnMemory, formatTableLines, type CellTone, wrapTextToWidth } from '../output/table.ts'
import { words } from '../texts.ts'
import { listViewColumns, formatMilliseconds } from '../output/view.ts'
import { BINDINGS } from './keys.data.ts'
import type { AnyPage, LoadedRows, UiPagePorts } from './page.ts'
import { getFirstVisible, type PageOverlay, getPagePlace, type UiState } from './state.ts'

// Line wrap is disabled: when the terminal gets narrower, the last frame is briefly too wide.
const ENTER = '\u001B[?1049h\u001B[?7l\u001B[?25l\u001B[H\u001B[2J'
const LEAVE = '\u001B[?25h\u001B[?7h\u001B[?1049l'
/** Enables and disables reports of presses, releases and the wheel, with numeric positions. */
const MOUSE = ['\u001B[?1000h\u001B[?1006h', '\u001B[?1006l\u001B[?1000l'] as const
/** Synchronized output: terminals that support it show the enclosed output at once; others ignore it. */
const SYNCHRONIZED = ['\u001B[?2026h', '\u001B[?2026l'] as const

interface Out {
  write(text: string): unknown
  columns?: number
  rows?: number
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** The output stream of Ink, which writes whole frames to it. */
export class InkScreenStream extends EventEmitter {
  readonly isTTY = true
  private readonly out: Out
  private lines: string[] = []
  /** Whether another program has the terminal, so that nothing is written. */
  private isLent = false

  constructor(out: Out) {
    super()
    this.out = out
    out.on('resize', this.resized)
    // The terminal is restored however the process ends.
    process.once('exit', this.restore)
    out.write(ENTER)
  }

  get columns(): number {
    return this.out.columns ?? 80
  }

  get rows(): number {
    return this.out.rows ?? 24
  }

  /** Writes the changed lines of a frame. */
  write(frame: string): boolean {
    if (this.isLent) return true
    const lines = frame.split('\n').slice(0, this.rows)
    const height = Math.max(lines.length, this.lines.length)
    const changed = Array.from({ length: height }, (_, at) => at).filter(
      (at) => (lines[at] ?? '') !== (this.lines[at] ?? ''),
    )
    this.lines = lines
    if (changed.length > 0) {
      const written = changed.map((at) => `\u001B[${at + 1};1H\u001B[0m${this.whole(lines[at] ?? '')}`)
      this.out.write(SYNCHRONIZED[0] + written.join('') + SYNCHRONIZED[1])
    }
    return true
  }

  /**
   * Returns a line with the sequence that clears its rest. A line of full width needs none: clearing would erase its
   * last character.
   */
  private whole(line: string): string {
    return stringWidth(line) < this.columns ? `${line}\u001B[0m\u001B[K` : `${line}\u001B[0m`
  }

  /** Enables or disables mouse reports of the terminal. */
  mouse(on: boolean): void {
    this.out.write(MOUSE[on ? 0 : 1])
  }

  /** Leaves the terminal to another program until its work is done, then draws the screen again. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.isLent = true
    this.restore()
    try {
      return await work()
    } finally {
      this.isLent = false
      this.out.write(ENTER)
      this.resized()
    }
  }

  /** Restores the terminal. */
  leave(): void {
    this.out.off('resize', this.resized)
    process.off('exit', this.restore)
    this.restore()
  }

  private readonly restore = () => void this.out.write(MOUSE[1] + LEAVE)

  private readonly resized = () => {
    this.lines = []
    this.out.write('\u001B[2J')
    this.emit('resize')
  }
}

/** Returns the sequence that makes the terminal copy a text to the clipboard (OSC 52), which also works over SSH. */
export const copySequence = (text: string): string => `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`

// The input of the screen, and the division of its lines.

export interface ScreenFrame {
  columns: number
  rows: number
  language: Language
  /** Name of the connected gateway. */
  label: string
  now: number
  pages: readonly AnyPage[]
  state: UiState
  /** Rows of the current page; undefined until loaded. */
  loaded?: LoadedRows<unknown>
  /** Error that prevents loading the page or receiving new calls. */
  trouble?: string
  ports: UiPagePorts
  memory: ColumnMemory
  paint(text: string, tone: CellTone): string
}

/** Number of lines above the page: figures, and the names of the pages. */
export const HEADER_LINES = 2
/** Number of lines for the titles of the table, or of a text. */
export const TITLE_LINES = 1

/** Returns the number of text lines that fit. */
export const getTextLineCount = ({ rows }: Pick<ScreenFrame, 'rows'>): number =>
  Math.max(1, rows - HEADER_LINES - TITLE_LINES - 1)

// The footer: available keys, the current question, the result of an action.

/** Maximum number of lines of a sentence. */
const MAX_SENTENCE_LINES = 4

/** Returns one line, or as many as a question or a sentence needs. */
export function buildFooterLines(frame: ScreenFrame): string[] {
  const { state, paint, columns, trouble } = frame
  const { over, message } = state
  const say = (text: Words) => text[frame.language]
  const sentence = (text: string) => wrapTextToWidth(text, columns - 2).slice(0, MAX_SENTENCE_LINES)
  if (over?.kind === 'typing')
    return [
      ...(over.hint ? [paint(cutToWidth(` ${over.hint}`, columns), 'faint')] : []),
      ` ${over.what === 'filter' ? '/' : ':'}${takeEnd(over.text, columns - 3)}${paint(' ', 'marked')}`,
    ]
  if (over?.kind === 'form' || over?.kind === 'fields') return ['']
  if (over?.kind === 'sure')
    return [
      ...sentence(say(over.question)).map((line) => paint(` ${line}`, 'careful')),
      paint(cutToWidth(` ${over.line}`, columns), 'faint'),
      ` ${paint(say(YES_NO), 'strong')}`,
    ]
  if (state.busy) return [paint(cutToWidth(` ${say(WORKING)}`, columns), 'careful')]
  if (message)
    return sentence(pickLanguage(message.text, frame.language)).map((line) =>
      paint(` ${line}`, message.bad ? 'bad' : 'good'),
    )
  if (over?.kind === 'text') return [textFoot(frame, over)]
  if (trouble) return sentence(trouble).map((line) => paint(` ${line}`, 'bad'))
  return [keysFoot(frame)]
}

const YES_NO = words('y do it · n leave it')
const WORKING = words('Working… Esc stops waiting')
const CLOSE = words('Esc close · ↑↓ PgUp PgDn · y copy')

/** Returns the end of the typed text, if it is longer than the line. */
function takeEnd(text: string, width: number): string {
  let shown = text
  while (stringWidth(shown) > width) shown = [...shown].slice(1).join('')
  return shown
}

function textFoot(frame: ScreenFrame, { lines, first }: PageOverlay & { kind: 'text' }): string {
  const last = Math.min(lines.length, first + getTextLineCount(frame))
  const right = last - first < lines.length ? `${first + 1}–${last}/${lines.length}` : ''
  return alignEnds(frame, cutToWidth(CLOSE[frame.language], frame.columns - stringWidth(right) - 3), right)
}

function keysFoot(frame: ScreenFrame): string {
  const { state, pages, language, loaded, columns } = frame
  const { filter, at, marked = [] } = getPagePlace(state)
  const keys = [
    ...(pages[state.page]?.actions ?? []).map(({ key, name }) => `${key} ${name[language]}`),
    ...Object.values(BINDINGS).flatMap((one) => ('foot' in one ? [`${one.shown} ${one.foot[language]}`] : [])),
  ]
  const count = loaded ? `${Math.min(at + 1, loaded.rows.length)}/${loaded.total}` : ''
  const selected = marked.length > 0 ? `•${marked.length}` : ''
  const right = [filter === '' ? '' : `/${cutToWidth(filter, columns >> 2)}`, selected, count].filter(Boolean).join(' ')
  return alignEnds(frame, pickKeys(keys, columns - stringWidth(right) - 3), right)
}

const alignEnds = ({ columns, paint }: ScreenFrame, left: string, right: string) =>
  ` ${paint(left, 'faint')}${' '.repeat(Math.max(1, columns - stringWidth(left) - stringWidth(right) - 2))}${right}`

/** Returns the keys that fit, always including the last ones, which lead to all others. */
function pickKeys(keys: readonly string[], width: number): string {
  let shown = [...keys]
  while (shown.length > 2 && stringWidth(shown.join(' · ')) > width) shown = shown.toSpliced(shown.length - 3, 1)
  return shown.join(' · ')
}

// The screen as lines of text, computed from its state without a terminal, so that tests can check every screen.

/** Returns the number of lines between the head and the footer. */
const bodyRoom = (frame: ScreenFrame) => Math.max(0, frame.rows - HEADER_LINES - buildFooterLines(frame).length)

/** Returns the number of rows of a page that fit. */
export const countVisibleRows = (frame: ScreenFrame): number =>
  Math.max(1, bodyRoom(frame) - TITLE_LINES - countNotes(frame))

const getLinesAbove = ({ pages, state, ports, columns }: ScreenFrame) =>
  pages[state.page]?.above?.(ports, columns) ?? []

/** Returns the number of lines between the names of the pages and the titles of the table. */
const countNotes = (frame: ScreenFrame) => getLinesAbove(frame).length + (frame.loaded?.note ? 1 : 0)

/** Returns the target of a position on the screen: a page or a row, by index. */
export function findPointedTarget(
  frame: ScreenFrame,
  column: number,
  row: number,
): { page: number } | { at: number } | undefined {
  if (row === HEADER_LINES - 1) {
    let end = 0
    const page = pageTitles(frame).findIndex((title) => column < (end += stringWidth(title) + 2))
    return page < 0 ? undefined : { page }
  }
  const line = row - HEADER_LINES - TITLE_LINES - countNotes(frame)
  const at = findFirst(frame) + line
  return line < 0 || line >= countVisibleRows(frame) || at >= (frame.loaded?.rows.length ?? 0) ? undefined : { at }
}

/** Returns the first visible row. */
function findFirst(frame: ScreenFrame): number {
  const { at, first } = getPagePlace(frame.state)
  const { length } = frame.loaded?.rows ?? []
  return getFirstVisible(first, Math.min(at, length - 1), countVisibleRows(frame), length)
}

/**
 * Returns the lines of the screen, exactly as many as it has rows; questions of a form are drawn by the form itself.
 */
export function buildFrameLines(frame: ScreenFrame): string[] {
  const room = bodyRoom(frame)
  const body = bodyLines(frame).slice(0, room)
  const blank = Array.from({ length: room - body.length }, () => '')
  const foot = buildFooterLines(frame).map((line) => cutPainted(line, frame.columns))
  return [headLine(frame), pagesLine(frame), ...body, ...blank, ...foot]
}

const MIN_TITLE_WIDTH = 20

const say = ({ language }: Pick<ScreenFrame, 'language'>, text: Words) => text[language]

function headLine(frame: ScreenFrame): string {
  const { columns, label, ports, now, paint } = frame
  const { calls, errors, p50, p95, quota } = ports.pulse.minute(now)
  const parts = [
    `${calls} ${say(frame, words('calls/min'))}`,
    `${say(frame, words('errors'))} ${errors}`,
    ...(p50 === null ? [] : [`p50 ${formatMilliseconds(p50)}`, `p95 ${formatMilliseconds(p95 ?? p50)}`]),
    `${formatQuotaAmount(quota, ports.money)}/${say(frame, words('min'))}`,
  ]
  const title = ` Weir  ${label} `
  const getRoom = () => columns - stringWidth(parts.join('  ')) - 2
  while (parts.length > 1 && getRoom() < Math.min(stringWidth(title), MIN_TITLE_WIDTH)) parts.pop()
  const left = cutToWidth(title, Math.max(MIN_TITLE_WIDTH, getRoom()))
  const figures = ` ${parts.join('  ')} `
  const blanks = ' '.repeat(Math.max(0, columns - stringWidth(left) - stringWidth(figures)))
  return paint(cutToWidth(left + blanks + figures, columns), errors > 0 ? 'headBad' : 'head')
}

/** Pages that open by a digit. */
const NUMBERED = 9

/** Formats the names of the pages; if they do not fit, other pages are shown as numbers, or as dots without one. */
function pageTitles({ pages, state, columns, language }: ScreenFrame): string[] {
  const titled = pages.map(({ title }, at) => (at < NUMBERED ? `${at + 1} ${title[language]}` : title[language]))
  const wide = stringWidth(titled.join('  ')) + 2 <= columns
  return titled.map((title, at) => (wide || at === state.page ? title : at < NUMBERED ? String(at + 1) : '·'))
}

const pagesLine = (frame: ScreenFrame): string =>
  pageTitles(frame)
    .map((title, at) =>
      at === frame.state.page ? frame.paint(`[${title}]`, 'strong') : frame.paint(` ${title} `, 'faint'),
    )
    .join('')

function bodyLines(frame: ScreenFrame): string[] {
  const { over } = frame.state
  if (over?.kind === 'form' || over?.kind === 'fields') return []
  if (over?.kind !== 'text') return pageLines(frame)
  const shown = over.lines.slice(over.first, over.first + getTextLineCount(frame))
  const title = frame.paint(cutToWidth(` ${over.title}`, frame.columns), 'strong')
  return [title, ...shown.map((line) => cutPainted(line, frame.columns))]
}

function pageLines(frame: ScreenFrame): string[] {
  const { pages, state, loaded, ports, columns, paint, memory, language, trouble } = frame
  const page = pages[state.page]
  if (!page) return []
  const place = getPagePlace(state)
  const above = getLinesAbove(frame)
  if (!loaded) return [...above, ...(trouble ? [] : [paint(` ${say(frame, LOADING)}`, 'faint')])]
  const { rows, note } = loaded as LoadedRows<never>
  const noted = note ? [paint(cutToWidth(` ${note[language]}`, columns), 'faint')] : []
  if (rows.length === 0) {
    const empty = place.filter === '' ? page.empty : fillTemplate(NO_MATCH, { filter: place.filter })
    return [...above, ...noted, cutToWidth(` ${say(frame, empty)}`, columns)]
  }
  const at = Math.min(place.at, rows.length - 1)
  const first = findFirst(frame)
  const shown = rows.slice(first, first + countVisibleRows(frame))
  const shownFields = Object.entries(page.view).filter(([, { rank }]) => rank > 0)
  const sorted = shownFields.findIndex(([name]) => name === place.order?.field)
  const fields = listViewColumns(page.view, { language, money: ports.money }).map((field, index) =>
    index === sorted ? { ...field, title: `${field.title} ${place.order?.descending ? '↓' : '↑'}` } : field,
  )
  const cells = shown.map((row) => fields.map(({ value, tone }) => ({ text: String(value(row)), tone: tone?.(row) })))
  const lines = formatTableLines({
    columns: fields,
    rows: cells,
    width: columns - MARK.length,
    memory,
    paint,
    oneLineEach: true,
  })
  const marked = lines.map((whole, index) => {
    const line = cutPainted(whole, columns - MARK.length)
    if (index === 0) return `  ${line}`
    const isCurrent = index - 1 === at - first
    const row = shown[index - 1]
    const isMarked = row !== undefined && (place.marked ?? []).includes(page.id(row))
    const whole_line = `${isCurrent ? '❯' : ' '}${isMarked ? '•' : ' '}${line}`
    return isCurrent ? paint(whole_line, 'marked') : whole_line
  })
  return [...above, ...noted, ...marked]
}

/** Room for the current row's arrow and a mark. */
const MARK = '❯•'
const LOADING = words('Loading…')
const NO_MATCH = words('Nothing matches “{filter}”; Esc clears it.')

/** Returns all keys with their actions on this page. */
export function buildHelpLines({
  pages,
  state,
  paint,
  language,
}: Pick<ScreenFrame, 'pages' | 'state' | 'paint' | 'language'>) {
  const page = pages[state.page]
  const own = (page?.actions ?? []).map(({ key, name }) => [key, name[language]] as const)
  const general = Object.values(BINDINGS).map(({ shown, help }) => [shown, help[language]] as const)
  const line = ([key, help]: readonly [string, string]) => ` ${paint(key.padEnd(10), 'strong')}${help}`
  return [
    ...own.map(line),
    ...(own.length > 0 ? [''] : []),
    line([`1…${Math.min(NUMBERED, pages.length)}`, words('go to a page')[language]]),
    ...general.map(line),
  ]
}

/** Cuts a line that is too wide, without its colours. */
const cutPainted = (line: string, columns: number): string =>
  stringWidth(line) <= columns ? line : cutToWidth(stripColor(line), columns)
