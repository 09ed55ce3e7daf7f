// The effect of keys on the state of the screen, and the output that is written for it.
import { describe, expect, it } from 'vitest'
import { asUntranslatedText } from '../../../cli/language.ts'
import { startTerminalForm } from '../../../cli/parts/form-state.ts'
import { parseKeyPresses, parseMouseEvents, type PressedKey } from '../../../cli/parts/keys.ts'
import { BINDINGS, findBinding } from '../../../cli/ui/keys.data.ts'
import { allPages } from '../../../cli/ui/pages/index.ts'
import { createPulse } from '../../../cli/ui/pulse.ts'
import { InkScreenStream } from '../../../cli/ui/screen.ts'
import { drawSparkline } from '../../../cli/output/progress.ts'
import {
  getFirstVisible,
  getPagePlace,
  pressUiKey,
  createStartState,
  type VisiblePageFacts,
  type UiState,
  type KeyWish,
} from '../../../cli/ui/state.ts'
import { calls, NOW } from './world.ts'

const rows = Array.from({ length: 50 }, (_, id) => ({ id }))
const seen: VisiblePageFacts = { pages: allPages, rows, room: 10, textRoom: 10 }

/** The screen after typing, and all that was wished. */
function type(typed: string, from: UiState = createStartState(allPages)) {
  const wishes: KeyWish[] = []
  const state = parseKeyPresses(typed).reduce<UiState>((before, key) => {
    const [after, wish] = pressUiKey(before, key, seen)
    if (wish) wishes.push(wish)
    return after
  }, from)
  return { state, wishes }
}

describe('keys', () => {
  it('go to pages by number and by arrows', () => {
    expect(type('4').state.page).toBe(3)
    expect(type('4\u001B[C').state.page).toBe(4)
    expect(type('\u001B[D').state.page).toBe(allPages.length - 1)
    expect(type('0').state.page).toBe(0)
  })

  it('move the mark, and keep it seen', () => {
    expect(getPagePlace(type('jjj').state)).toEqual({ filter: '', at: 3, first: 0 })
    expect(getPagePlace(type('\u001B[6~\u001B[6~').state)).toEqual({ filter: '', at: 20, first: 11 })
    expect(getPagePlace(type('Gk').state)).toEqual({ filter: '', at: 48, first: 40 })
    expect(getPagePlace(type('Ggk').state)).toEqual({ filter: '', at: 0, first: 0 })
  })

  it('keep the place of each page', () => {
    const { state } = type('jj2jjj1')
    expect(state.places.slice(0, 2).map(({ at }) => at)).toEqual([2, 3])
  })

  it('filter, and clear the filter', () => {
    const { state, wishes } = type('jj/gpt\u007F4\r')
    expect(getPagePlace(state)).toEqual({ filter: 'gp4', at: 0, first: 0 })
    // Each key loads, a moment later.
    expect(wishes).toEqual(Array.from({ length: 5 }, () => ({ kind: 'load', typing: true })))
    expect(getPagePlace(type('/x\u001B', state).state).filter).toBe('gp4')
    expect(getPagePlace(type('\u001B', state).state).filter).toBe('')
    expect(type('/abc\u001B').state.over).toBeUndefined()
  })

  it('ask for an act on the marked row, and do it only after a yes', () => {
    const asked = type('3jd')
    expect(asked.wishes.at(-1)).toEqual({ kind: 'ask', key: 'd', row: rows[1] })
    const act = { key: 'd', row: rows[1], questions: [], answers: {} }
    const question = { en: 'Sure?', zh: '' }
    const sure: UiState = { ...asked.state, over: { kind: 'sure', question, line: 'weir x', act } }
    expect([type('n', sure).state.over, type('n', sure).wishes]).toEqual([undefined, []])
    expect(type('\r', sure)).toMatchObject({ state: { over: { kind: 'sure' } }, wishes: [] })
    expect(type('y', sure).wishes).toEqual([{ kind: 'do', act }])
  })

  it('run commands, open, copy, and leave', () => {
    expect(type(':weir users ls\r').wishes).toEqual([{ kind: 'command', text: 'users ls' }])
    expect(type('j\r').wishes).toEqual([{ kind: 'open', row: rows[1] }])
    expect(type('y').wishes).toEqual([{ kind: 'copy', row: rows[0] }])
    expect(type('q?M').wishes).toEqual([{ kind: 'quit' }, { kind: 'help' }, { kind: 'mouse' }])
    expect(type('\u0003').wishes).toEqual([{ kind: 'quit' }])
  })

  it('scroll what is opened', () => {
    const lines = Array.from({ length: 30 }, String)
    const open: UiState = { ...createStartState(allPages), over: { kind: 'text', title: 'x', lines, first: 0 } }
    expect(type('jj', open).state.over).toMatchObject({ first: 2 })
    expect(type('G', open).state.over).toMatchObject({ first: 20 })
    expect(type('y', open).wishes).toEqual([{ kind: 'copyText', text: lines.join('\n') }])
    expect(type('\u001B', open).state.over).toBeUndefined()
  })

  it('fill in a form, and leave it', () => {
    const act = { key: 'e', row: rows[0], questions: [], answers: {} }
    const questions = ['name', 'group'].map(
      (name) => ({ name, label: asUntranslatedText(name), kind: 'text' }) as const,
    )
    const asking: UiState = {
      ...createStartState(allPages),
      over: { kind: 'form', title: asUntranslatedText('x'), form: startTerminalForm(questions), act },
    }
    const { state, wishes } = type('q1\rvip\r', asking)
    expect([state.over, wishes]).toEqual([
      undefined,
      [{ kind: 'answered', act: { ...act, answers: { name: 'q1', group: 'vip' } } }],
    ])
    expect(type('q1\r\u001B', asking).state.over).toMatchObject({ form: { index: 0, answers: { name: 'q1' } } })
    for (const leaving of ['\u001B', '\u0003', 'q\r\u0003'])
      expect([type(leaving, asking).state.over, type(leaving, asking).wishes]).toEqual([undefined, []])
  })

  it('mean one thing on every page', () => {
    const general = Object.values(BINDINGS).flatMap(({ keys }) => [...keys])
    expect(new Set(general).size).toBe(general.length)
    for (const { name, actions } of allPages) {
      const own = actions.map(({ key }) => key)
      expect(new Set(own).size, name).toBe(own.length)
      expect(
        own.filter((key) => findBinding({ character: key } as PressedKey) || /\d/.test(key)),
        name,
      ).toEqual([])
    }
  })
})

it('reports of the mouse are no keys', () => {
  const reports = '\u001B[<0;12;5Mj\u001B[<0;12;5m\u001B[<65;3;4M\u001B[<2;1;1M'
  expect(parseKeyPresses(reports)).toEqual([{ character: 'j' }])
  expect(parseMouseEvents(reports)).toEqual([
    { what: 'click', column: 11, row: 4 },
    { what: 'wheelDown', column: 2, row: 3 },
  ])
})

it('the window has the marked row in it, and no empty end', () => {
  expect([
    getFirstVisible(0, 0, 10, 3),
    getFirstVisible(0, 15, 10, 50),
    getFirstVisible(30, 15, 10, 50),
    getFirstVisible(45, 48, 10, 50),
  ]).toEqual([0, 6, 15, 40])
})

describe('the pulse', () => {
  const pulse = createPulse()
  pulse.add(calls)
  it('counts the last minute', () => {
    expect(pulse.minute(NOW)).toEqual({
      ...{ calls: 8, errors: 1, p50: 513, p95: 661 },
      quota: calls.slice(0, 8).reduce((sum, { quota }) => sum + quota, 0),
      tokens: calls.slice(0, 8).reduce((sum, one) => sum + one.prompt_tokens + one.completion_tokens, 0),
    })
    expect(pulse.minute(NOW + 3_600_000)).toEqual({ calls: 0, errors: 0, quota: 0, tokens: 0, p50: null, p95: null })
  })

  it('has the course of ten minutes, and the newest rows first', () => {
    expect(pulse.course(NOW, 'calls').reduce((sum, one) => sum + one, 0)).toBe(40)
    expect(pulse.last()[0]?.id).toBe(1000)
  })
})

it('a sparkline is as high as its figures', () => {
  expect(drawSparkline([0, 1, 4, 8], 4)).toBe(' ▁▄█')
  expect(drawSparkline([1], 3)).toBe('  █')
  expect(drawSparkline([], 2)).toBe('  ')
})

describe('the screen', () => {
  const terminal = () => {
    const written: string[] = []
    const out = { columns: 20, rows: 3, write: (text: string) => written.push(text), on: () => out, off: () => out }
    return { written, screen: new InkScreenStream(out) }
  }

  it('writes only the lines that have changed, at once', () => {
    const { written, screen } = terminal()
    screen.write('a\nb\nc')
    screen.write('a\nB\nc')
    expect(written.at(-1)).toBe('\u001B[?2026h\u001B[2;1H\u001B[0mB\u001B[0m\u001B[K\u001B[?2026l')
    const before = written.length
    screen.write('a\nB\nc')
    expect(written).toHaveLength(before)
  })

  it('gives the terminal back whatever ends the process, the mouse too', () => {
    const before = process.listeners('exit')
    const { written, screen } = terminal()
    screen.mouse(true)
    expect(written.at(-1)).toBe('\u001B[?1000h\u001B[?1006h')
    const atExit = process.listeners('exit').find((one) => !before.includes(one))
    atExit?.call(process, 1)
    expect(written.at(-1)).toContain('\u001B[?1000l\u001B[?25h')
    screen.leave()
    expect(process.listeners('exit')).toEqual(before)
  })

  it('erases nothing behind a line that fills it: that would be its last character', () => {
    const { written, screen } = terminal()
    const full = '\u001B[7m0123456789中文中文…\u001B[27m '
    screen.write(`${full}\nb`)
    expect(written.at(-1)).toContain(`${full}\u001B[0m\u001B[2;1H\u001B[0mb\u001B[0m\u001B[K`)
  })

  it('never writes below its end, and gives the terminal back', () => {
    const { written, screen } = terminal()
    screen.write('a\nb\nc\nd')
    expect(written.at(-1)).not.toContain('d')
    screen.leave()
    expect(written.at(-1)).toBe('\u001B[?1006l\u001B[?1000l\u001B[?25h\u001B[?7h\u001B[?1049l')
  })
})
