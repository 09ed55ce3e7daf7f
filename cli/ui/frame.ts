// The screen as lines of text, from its state: pure, so that every screen can be looked at without a terminal.
import stringWidth from 'fast-string-width'
import { fillTemplate, words, type Words } from '../../core/errors.ts'
import { quotaText } from '../format.ts'
import { stripColor } from '../paint.ts'
import { cut, tableLines } from '../table.ts'
import { columnsOf, msText } from '../view.ts'
import { footLines } from './foot.ts'
import { BINDINGS } from './keys.data.ts'
import { HEAD, textRoom, TITLES, type Frame } from './layout.ts'
import type { Loaded } from './page.ts'
import { firstSeen, placeOf } from './state.ts'

/** How many lines there are between the head and the foot. */
const bodyRoom = (frame: Frame) => Math.max(0, frame.rows - HEAD - footLines(frame).length)

/** How many rows of a page there is room for. */
export const roomFor = (frame: Frame): number => Math.max(1, bodyRoom(frame) - TITLES - notesOf(frame))

const aboveOf = ({ pages, state, ports, columns }: Frame) => pages[state.page]?.above?.(ports, columns) ?? []

/** Lines between the names of the pages and the titles of the table. */
const notesOf = (frame: Frame) => aboveOf(frame).length + (frame.loaded?.note ? 1 : 0)

/** What a place on the screen belongs to: a page by its name, or a row by its number. */
export function pointedAt(frame: Frame, column: number, row: number): { page: number } | { at: number } | undefined {
  if (row === HEAD - 1) {
    let end = 0
    const page = pageTitles(frame).findIndex((title) => column < (end += stringWidth(title) + 2))
    return page < 0 ? undefined : { page }
  }
  const line = row - HEAD - TITLES - notesOf(frame)
  const at = firstOf(frame) + line
  return line < 0 || line >= roomFor(frame) || at >= (frame.loaded?.rows.length ?? 0) ? undefined : { at }
}

/** The first row that is seen. */
function firstOf(frame: Frame): number {
  const { at, first } = placeOf(frame.state)
  const { length } = frame.loaded?.rows ?? []
  return firstSeen(first, Math.min(at, length - 1), roomFor(frame), length)
}

/** The lines of the screen, exactly as many as it has rows; what is asked in a form is drawn by others. */
export function frameLines(frame: Frame): string[] {
  const room = bodyRoom(frame)
  const body = bodyLines(frame).slice(0, room)
  const blank = Array.from({ length: room - body.length }, () => '')
  const foot = footLines(frame).map((line) => cutPainted(line, frame.columns))
  return [headLine(frame), pagesLine(frame), ...body, ...blank, ...foot]
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
  const roomBeside = () => columns - stringWidth(parts.join('  ')) - 2
  while (parts.length > 1 && roomBeside() < Math.min(stringWidth(title), LEAST_TITLE)) parts.pop()
  const left = cut(title, Math.max(LEAST_TITLE, roomBeside()))
  const figures = ` ${parts.join('  ')} `
  const blanks = ' '.repeat(Math.max(0, columns - stringWidth(left) - stringWidth(figures)))
  return paint(cut(left + blanks + figures, columns), errors > 0 ? 'headBad' : 'head')
}

/** The names of the pages; where there is no room for them, the numbers of those that are not seen. */
function pageTitles({ pages, state, columns, language }: Frame): string[] {
  const titled = pages.map(({ title }, at) => `${at + 1} ${title[language]}`)
  const wide = stringWidth(titled.join('  ')) + 2 <= columns
  return titled.map((title, at) => (wide || at === state.page ? title : String(at + 1)))
}

const pagesLine = (frame: Frame): string =>
  pageTitles(frame)
    .map((title, at) =>
      at === frame.state.page ? frame.paint(`[${title}]`, 'strong') : frame.paint(` ${title} `, 'faint'),
    )
    .join('')

function bodyLines(frame: Frame): string[] {
  const { over } = frame.state
  if (over?.kind === 'form') return []
  if (over?.kind !== 'text') return pageLines(frame)
  const shown = over.lines.slice(over.first, over.first + textRoom(frame))
  const title = frame.paint(cut(` ${over.title}`, frame.columns), 'strong')
  return [title, ...shown.map((line) => cutPainted(line, frame.columns))]
}

function pageLines(frame: Frame): string[] {
  const { pages, state, loaded, ports, columns, paint, memory, language, trouble } = frame
  const page = pages[state.page]
  if (!page) return []
  const place = placeOf(state)
  const above = aboveOf(frame)
  if (!loaded) return [...above, ...(trouble ? [] : [paint(` ${say(frame, LOADING)}`, 'faint')])]
  const { rows, note } = loaded as Loaded<never>
  const noted = note ? [paint(cut(` ${note[language]}`, columns), 'faint')] : []
  if (rows.length === 0) {
    const empty = place.filter === '' ? page.empty : fillTemplate(NO_MATCH, { filter: place.filter })
    return [...above, ...noted, cut(` ${say(frame, empty)}`, columns)]
  }
  const at = Math.min(place.at, rows.length - 1)
  const first = firstOf(frame)
  const shown = rows.slice(first, first + roomFor(frame))
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
const LOADING = words('Loading…', '加载中…')
const NO_MATCH = words('Nothing matches “{filter}”; Esc clears it.', '没有匹配“{filter}”的内容；按 Esc 清除。')

/** All keys, and what they do on this page. */
export function helpLines({ pages, state, paint, language }: Pick<Frame, 'pages' | 'state' | 'paint' | 'language'>) {
  const page = pages[state.page]
  const own = (page?.actions ?? []).map(({ key, name }) => [key, name[language]] as const)
  const general = Object.values(BINDINGS).map(({ shown, help }) => [shown, help[language]] as const)
  const line = ([key, help]: readonly [string, string]) => ` ${paint(key.padEnd(10), 'strong')}${help}`
  return [
    ...own.map(line),
    ...(own.length > 0 ? [''] : []),
    line(['1…8', words('go to a page', '转到页面')[language]]),
    ...general.map(line),
  ]
}

/** A line that is too wide loses its paint with what is cut. */
const cutPainted = (line: string, columns: number): string =>
  stringWidth(line) <= columns ? line : cut(stripColor(line), columns)
