// The screen as lines of text, from its state: pure, so that every screen can be looked at without a terminal.
import { filled, words, type Language, type Words } from '../../core/errors.ts'
import { quotaText } from '../format.ts'
import { inLanguage } from '../language.ts'
import { unpainted } from '../paint.ts'
import { cut, tableLines, widthOf, type Memory, type Tone } from '../table.ts'
import { columnsOf, msText } from '../view.ts'
import { BINDINGS } from './keys.data.ts'
import type { AnyPage, Loaded, Ports } from './page.ts'
import { firstSeen, placeOf, type Over, type UiState } from './state.ts'

export interface Frame {
  columns: number
  rows: number
  language: Language
  /** Where it is connected to. */
  label: string
  now: number
  pages: readonly AnyPage[]
  state: UiState
  /** Of the page that is seen; undefined until it was loaded. */
  loaded?: Loaded<unknown>
  ports: Ports
  memory: Memory
  paint(text: string, tone: Tone): string
}

/** Lines that are no rows: the head, the pages, the titles of the table, the foot. */
const HEAD = 2
const FOOT = 1
const TITLES = 1

/** How many rows of a page there is room for. */
export function roomFor({
  rows,
  columns,
  pages,
  state,
  ports,
  loaded,
}: Omit<Frame, 'paint' | 'memory' | 'label' | 'now' | 'language'>): number {
  const above = pages[state.page]?.above?.(ports, columns).length ?? 0
  return Math.max(1, rows - HEAD - FOOT - TITLES - above - (loaded?.note ? 1 : 0))
}

/** The lines of the screen, exactly as many as it has rows; what is asked in a form is drawn by others. */
export function frameLines(frame: Frame): string[] {
  const { rows, state, columns } = frame
  const body = bodyLines(frame, state.over).slice(0, rows - HEAD - FOOT)
  const blank = Array.from({ length: Math.max(0, rows - HEAD - FOOT - body.length) }, () => '')
  return [headLine(frame), pagesLine(frame), ...body, ...blank, cutPainted(footLine(frame), columns)]
}

const LEAST_TITLE = 20

const say = ({ language }: Pick<Frame, 'language'>, said: Words) => said[language]

function headLine(frame: Frame): string {
  const { columns, label, ports, now, paint } = frame
  const { calls, errors, p50, p95, quota } = ports.pulse.minute(now)
  const parts = [
    `${calls} ${say(frame, words('calls/min', '次/分'))}`,
    `${say(frame, words('errors', '错误'))} ${errors}`,
    ...(p50 === null ? [] : [`p50 ${msText(p50)}`, `p95 ${msText(p95 ?? p50)}`]),
    `${quotaText(quota, ports.money)}/${say(frame, words('min', '分'))}`,
  ]
  const title = ` Weir  ${label} `
  const left = cut(title, Math.max(LEAST_TITLE, columns >> 2))
  while (parts.length > 1 && widthOf(parts.join('  ')) + 2 + widthOf(left) > columns) parts.pop()
  const figures = ` ${parts.join('  ')} `
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(left) - widthOf(figures)))
  return paint(cut(left + blanks + figures, columns), errors > 0 ? 'headBad' : 'head')
}

function pagesLine(frame: Frame): string {
  const { pages, state, columns, paint } = frame
  const titled = pages.map(({ title }, at) => `${at + 1} ${say(frame, title)}`)
  const wide = widthOf(titled.join('  ')) + 2 <= columns
  const shown = titled.map((title, at) => (wide || at === state.page ? title : String(at + 1)))
  return `${shown.map((title, at) => (at === state.page ? paint(`[${title}]`, 'strong') : paint(` ${title} `, 'faint'))).join('')}`
}

function bodyLines(frame: Frame, over: Over | undefined): string[] {
  if (over?.kind === 'help') return helpLines(frame)
  if (over?.kind === 'text') {
    const { first, lines, title } = over
    return [
      frame.paint(cut(` ${title}`, frame.columns), 'strong'),
      ...lines.slice(first, first + frame.rows - HEAD - FOOT - 1).map((line) => cutPainted(` ${line}`, frame.columns)),
    ]
  }
  return over?.kind === 'form' ? [] : pageLines(frame)
}

function pageLines(frame: Frame): string[] {
  const { pages, state, loaded, ports, columns, paint, memory, language } = frame
  const page = pages[state.page]
  if (!page) return []
  const place = placeOf(state)
  const room = roomFor(frame)
  const above = [...(page.above?.(ports, columns) ?? [])]
  if (!loaded) return [...above, paint(` ${say(frame, words('Loading…', '加载中…'))}`, 'faint')]
  const { rows, note } = loaded as Loaded<never>
  const noted = note ? [paint(cut(` ${note[language]}`, columns), 'faint')] : []
  if (rows.length === 0) {
    const empty =
      place.filter === '' ? words('Nothing here yet.', '暂无内容。') : filled(NO_MATCH, { filter: place.filter })
    return [...above, ...noted, ` ${say(frame, empty)}`]
  }
  const at = Math.min(place.at, rows.length - 1)
  const first = firstSeen(place.first, at, room, rows.length)
  const shown = rows.slice(first, first + room)
  const fields = columnsOf(page.view, { language, money: ports.money })
  const cells = shown.map((row) => fields.map(({ value, tone }) => ({ text: String(value(row)), tone: tone?.(row) })))
  const lines = tableLines({
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
    return index - 1 === at - first ? paint(`${MARK}${line}`, 'marked') : `  ${line}`
  })
  return [...above, ...noted, ...marked]
}

const MARK = '❯ '
const NO_MATCH = words('Nothing matches “{filter}”; Esc clears it.', '没有匹配“{filter}”的内容；按 Esc 清除。')

function helpLines(frame: Frame): string[] {
  const { pages, state, paint } = frame
  const page = pages[state.page]
  const general = Object.values(BINDINGS).map(({ shown, help }) => [shown, say(frame, help)] as const)
  const own = (page?.actions ?? []).map(({ key, name }) => [key, say(frame, name)] as const)
  const line = ([key, help]: readonly [string, string]) => `  ${paint(key.padEnd(10), 'strong')}${help}`
  return [
    ...(own.length > 0 && page ? [paint(` ${say(frame, page.title)}`, 'faint'), ...own.map(line)] : []),
    paint(` ${say(frame, words('Everywhere', '通用'))}`, 'faint'),
    line(['1…8', say(frame, words('go to a page', '转到页面'))]),
    ...general.map(line),
  ]
}

function footLine(frame: Frame): string {
  const { state, paint, pages, language, loaded, columns } = frame
  const { over, told, busy } = state
  if (over?.kind === 'typing') return ` ${over.what === 'filter' ? '/' : ':'}${over.text}${paint(' ', 'marked')}`
  if (over?.kind === 'sure') return paint(` ${say(frame, over.question)}  y / n`, 'careful')
  if (busy) return paint(` ${say(frame, words('Working…', '处理中…'))}`, 'careful')
  if (told) return paint(` ${inLanguage(told.text, language)}`, told.bad ? 'bad' : 'good')
  if (over?.kind === 'form') return ''
  const { filter, at } = placeOf(state)
  const keys = [
    ...(pages[state.page]?.actions ?? []).map(({ key, name }) => `${key} ${say(frame, name)}`),
    ...Object.values(BINDINGS).flatMap((one) => ('foot' in one ? [`${one.shown} ${say(frame, one.foot)}`] : [])),
  ]
  const count = loaded ? `${Math.min(at + 1, loaded.rows.length)}/${loaded.total}` : ''
  const right = [filter === '' ? '' : `/${filter}`, count].filter(Boolean).join(' ')
  const left = fitting(keys, columns - widthOf(right) - 3)
  return ` ${paint(left, 'faint')}${' '.repeat(Math.max(1, columns - widthOf(left) - widthOf(right) - 2))}${right}`
}

/** As many of the keys as there is room for, the last ones always: those that tell of all others. */
function fitting(keys: readonly string[], width: number): string {
  let shown = [...keys]
  while (shown.length > 2 && widthOf(shown.join(' · ')) > width) shown = shown.toSpliced(shown.length - 3, 1)
  return shown.join(' · ')
}

/** A line that is too wide loses its paint with what is cut. */
const cutPainted = (line: string, columns: number): string =>
  widthOf(unpainted(line)) <= columns ? line : cut(unpainted(line), columns)
