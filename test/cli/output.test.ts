import { describe, expect, it } from 'vitest'
import stringWidth from 'fast-string-width'
import { createPrinter, type PrinterOptions } from '../../cli/output/output.ts'
import { cutToWidth } from '../../cli/output/table.ts'
import { count, text, type OutputView } from '../../cli/output/view.ts'
import { toOneLine } from '../../core/logs/visible.ts'

const view: OutputView<{ id: number; name: string }> = {
  id: count({ en: 'ID', zh: '编号' }, 1, ({ id }) => id),
  name: text({ en: 'NAME', zh: '名称' }, 1, ({ name }) => name, { flexible: true, tone: () => 'good' }),
}
const NONE = { empty: { en: 'none yet', zh: '还没有' } }
const rows = [
  { id: 1, name: 'first' },
  { id: 22, name: '渠道' },
]

function printed({
  tty = false,
  width = 80,
  ...options
}: Partial<PrinterOptions> & { tty?: boolean; width?: number } = {}) {
  const out = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: tty,
    columns: width,
    write: (text: string) => (out[name] += text),
    once: () => undefined,
  })
  const print = createPrinter({
    form: 'human',
    language: 'en',
    money: async () => ({ quota_per_unit: 500_000, display_in_currency: true }),
    env: {},
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    ...options,
  })
  return { print, out }
}

describe('a list', () => {
  it('is plain aligned text in a pipe', async () => {
    const { print, out } = printed()
    await print.list(rows, view, NONE)
    expect(out.stdout).toBe('ID  NAME\n 1  first\n22  渠道\n')
  })

  it('says which rows hold a number that cannot be read exactly', async () => {
    const { print, out } = printed()
    await print.list([...rows, { id: 3, name: 'much', unreadable: ['quota', 'used_quota'] }], view, NONE)
    const [head, first, , third] = out.stdout.split('\n')
    expect([head, first]).toEqual(['ID  NAME   CANNOT BE READ EXACTLY', ' 1  first'])
    expect(third).toBe(' 3  much   quota, used_quota')
  })

  it('is coloured on a terminal only', async () => {
    const { print, out } = printed({ tty: true })
    await print.list(rows, view, NONE)
    expect(out.stdout).toContain('\u001B[32mfirst\u001B[39m')
  })

  it('has no colour where NO_COLOR is set', async () => {
    const { print, out } = printed({ tty: true, env: { NO_COLOR: '1' } })
    await print.list(rows, view, NONE)
    expect(out.stdout).not.toContain('\u001B')
  })

  it.each([
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('on a terminal %s with %j is coloured: %s', async (tty, env, isColoured) => {
    const { print, out } = printed({ tty, env })
    await print.list(rows, view, NONE)
    expect(out.stdout.includes('\u001B')).toBe(isColoured)
  })

  it('fits the terminal and is whole in a pipe', async () => {
    const long = [{ id: 1, name: 'x'.repeat(200) }]
    const onTerminal = printed({ tty: true, width: 70, env: { NO_COLOR: '1' } })
    await onTerminal.print.list(long, view, NONE)
    expect(Math.max(...onTerminal.out.stdout.split('\n').map((line) => stringWidth(line)))).toBe(70)
    const inPipe = printed({ width: 70 })
    await inPipe.print.list(long, view, NONE)
    expect(inPipe.out.stdout).toContain('x'.repeat(200))
  })

  it('is JSON and nothing else with --json', async () => {
    const { print, out } = printed({ form: 'json' })
    print.say({ en: 'words', zh: '文字' })
    await print.list(rows, view, NONE)
    expect(JSON.parse(out.stdout)).toEqual(rows)
  })

  it('is its first column with --quiet', async () => {
    const { print, out } = printed({ form: 'quiet' })
    print.say({ en: 'words', zh: '文字' })
    await print.list(rows, view, NONE)
    expect(out.stdout).toBe('1\n22\n')
  })

  it('says so where it is empty, and is an empty array in JSON', async () => {
    const human = printed()
    await human.print.list([], view, NONE)
    expect(human.out.stdout).toBe('none yet\n')
    const json = printed({ form: 'json' })
    await json.print.list([], view, NONE)
    expect(JSON.parse(json.out.stdout)).toEqual([])
  })

  it('prints nothing a terminal would obey', async () => {
    expect(toOneLine('a\u001B[2Jb\u0007\nc\td')).toBe('a\\u001b[2Jb\\u0007 c d')
  })
})

describe('a failure', () => {
  it('goes to standard error, as a sentence or as JSON', async () => {
    const human = printed()
    human.print.failure({ exit: 1, message: 'Channel not found', code: 'channel.missing' })
    expect(human.out).toEqual({ stdout: '', stderr: 'weir: Channel not found\n' })
    const json = printed({ form: 'json' })
    json.print.failure({ exit: 1, message: 'Channel not found', code: 'channel.missing' })
    expect(JSON.parse(json.out.stderr)).toEqual({
      success: false,
      message: 'Channel not found',
      code: 'channel.missing',
    })
    expect(json.out.stdout).toBe('')
  })
})

describe('widths', () => {
  it('counts wide characters twice and cuts by places', async () => {
    expect(['渠道a', '𠮷', 'e\u0301', '👩‍💻'].map((text) => stringWidth(text))).toEqual([5, 2, 1, 2])
    expect(cutToWidth('渠道渠道', 5)).toBe('渠道…')
    expect(cutToWidth('short', 10)).toBe('short')
    expect([cutToWidth('1234567', 4), cutToWidth('entry 1234567', 9), cutToWidth('at 10:20:30.5', 12)]).toEqual([
      '1234567',
      'entry …',
      'at 10:20:…',
    ])
  })
})
