// The end of the screen: the keys there are, what is asked, what has come of something.
import stringWidth from 'fast-string-width'
import { words, type Words } from '../../core/errors.ts'
import { inLanguage } from '../language.ts'
import { cut, wrapText } from '../table.ts'
import { textRoom, type Frame } from './layout.ts'
import { BINDINGS } from './keys.data.ts'
import { placeOf, type Over } from './state.ts'

/** How many lines a sentence may take. */
const MOST = 4

/** One line, or as many as a question or a sentence needs. */
export function footLines(frame: Frame): string[] {
  const { state, paint, columns, trouble } = frame
  const { over, told } = state
  const say = (said: Words) => said[frame.language]
  const sentence = (text: string) => wrapText(text, columns - 2).slice(0, MOST)
  if (over?.kind === 'typing')
    return [` ${over.what === 'filter' ? '/' : ':'}${ending(over.text, columns - 3)}${paint(' ', 'marked')}`]
  if (over?.kind === 'form') return ['']
  if (over?.kind === 'sure')
    return [
      ...sentence(say(over.question)).map((line) => paint(` ${line}`, 'careful')),
      paint(cut(` ${over.line}`, columns), 'faint'),
      ` ${paint(say(YES_NO), 'strong')}`,
    ]
  if (state.busy) return [paint(cut(` ${say(WORKING)}`, columns), 'careful')]
  if (told)
    return sentence(inLanguage(told.text, frame.language)).map((line) => paint(` ${line}`, told.bad ? 'bad' : 'good'))
  if (over?.kind === 'text') return [textFoot(frame, over)]
  if (trouble) return sentence(trouble).map((line) => paint(` ${line}`, 'bad'))
  return [keysFoot(frame)]
}

const YES_NO = words('y do it · n leave it', 'y 执行 · n 取消')
const WORKING = words('Working… Esc waits no longer', '处理中… 按 Esc 不再等待')
const CLOSE = words('Esc close · ↑↓ PgUp PgDn · y copy', 'Esc 关闭 · ↑↓ PgUp PgDn · y 复制')

/** The end of what is typed, where it is longer than the line. */
function ending(text: string, width: number): string {
  let shown = text
  while (stringWidth(shown) > width) shown = [...shown].slice(1).join('')
  return shown
}

function textFoot(frame: Frame, { lines, first }: Over & { kind: 'text' }): string {
  const last = Math.min(lines.length, first + textRoom(frame))
  const right = last - first < lines.length ? `${first + 1}–${last}/${lines.length}` : ''
  return ended(frame, cut(CLOSE[frame.language], frame.columns - stringWidth(right) - 3), right)
}

function keysFoot(frame: Frame): string {
  const { state, pages, language, loaded, columns } = frame
  const { filter, at } = placeOf(state)
  const keys = [
    ...(pages[state.page]?.actions ?? []).map(({ key, name }) => `${key} ${name[language]}`),
    ...Object.values(BINDINGS).flatMap((one) => ('foot' in one ? [`${one.shown} ${one.foot[language]}`] : [])),
  ]
  const count = loaded ? `${Math.min(at + 1, loaded.rows.length)}/${loaded.total}` : ''
  const right = [filter === '' ? '' : `/${cut(filter, columns >> 2)}`, count].filter(Boolean).join(' ')
  return ended(frame, fitting(keys, columns - stringWidth(right) - 3), right)
}

const ended = ({ columns, paint }: Frame, left: string, right: string) =>
  ` ${paint(left, 'faint')}${' '.repeat(Math.max(1, columns - stringWidth(left) - stringWidth(right) - 2))}${right}`

/** As many of the keys as there is room for, the last ones always: those that tell of all others. */
function fitting(keys: readonly string[], width: number): string {
  let shown = [...keys]
  while (shown.length > 2 && stringWidth(shown.join(' · ')) > width) shown = shown.toSpliced(shown.length - 3, 1)
  return shown.join(' · ')
}
