// What keys do to the screen, and what is written of it.
import { describe, expect, it } from 'vitest'
import { keysIn, type Key } from '../../../cli/parts/keys.ts'
import { BINDINGS, bindingOf } from '../../../cli/ui/keys.data.ts'
import { pages } from '../../../cli/ui/pages/index.ts'
import { createPulse } from '../../../cli/ui/pulse.ts'
import { Screen } from '../../../cli/ui/screen.ts'
import { sparkline } from '../../../cli/bars.ts'
import { firstSeen, placeOf, press, startState, type Seen, type UiState, type Wish } from '../../../cli/ui/state.ts'
import { calls, NOW } from './world.ts'

const rows = Array.from({ length: 50 }, (_, id) => ({ id }))
const seen: Seen = { pages, rows, room: 10 }

/** The screen after typing, and all that was wished. */
function type(typed: string, from: UiState = startState(pages)) {
  const wishes: Wish[] = []
  const state = keysIn(typed).reduce<UiState>((before, key) => {
    const [after, wish] = press(before, key, seen)
    if (wish) wishes.push(wish)
    return after
  }, from)
  return { state, wishes }
}

describe('keys', () => {
  it('go to pages by number and by arrows', () => {
    expect(type('4').state.page).toBe(3)
    expect(type('4\u001B[C').state.page).toBe(4)
    expect(type('\u001B[D').state.page).toBe(pages.length - 1)
    expect(type('9').state.page).toBe(0)
  })

  it('move the mark, and keep it seen', () => {
    expect(placeOf(type('jjj').state)).toEqual({ filter: '', at: 3, first: 0 })
    expect(placeOf(type('\u001B[6~\u001B[6~').state)).toEqual({ filter: '', at: 20, first: 11 })
    expect(placeOf(type('Gk').state)).toEqual({ filter: '', at: 48, first: 40 })
    expect(placeOf(type('Ggk').state)).toEqual({ filter: '', at: 0, first: 0 })
  })

  it('keep the place of each page', () => {
    const { state } = type('jj2jjj1')
    expect(state.places.slice(0, 2).map(({ at }) => at)).toEqual([2, 3])
  })

  it('filter, and clear the filter', () => {
    const { state, wishes } = type('jj/gpt\u007F4\r')
    expect(placeOf(state)).toEqual({ filter: 'gp4', at: 0, first: 0 })
    expect(wishes).toEqual([{ kind: 'load' }])
    expect(placeOf(type('\u001B', state).state).filter).toBe('')
    expect(type('/abc\u001B').state.over).toBeUndefined()
  })

  it('ask for an act on the marked row, and do it only after a yes', () => {
    const asked = type('2jd')
    expect(asked.wishes.at(-1)).toEqual({ kind: 'ask', key: 'd', row: rows[1] })
    const act = { key: 'd', row: rows[1], answers: {} }
    const sure: UiState = { ...asked.state, over: { kind: 'sure', question: { en: 'Sure?', zh: '' }, act } }
    expect(type('n', sure)).toMatchObject({ state: { busy: false }, wishes: [] })
    expect(type('\r', sure)).toMatchObject({ state: { over: { kind: 'sure' } }, wishes: [] })
    const done = type('y', sure)
    expect(done).toMatchObject({ state: { busy: true }, wishes: [{ kind: 'do', act }] })
    expect(type('d', done.state).wishes).toEqual([])
  })

  it('run commands, open, copy, and leave', () => {
    expect(type(':users ls\r').wishes).toEqual([{ kind: 'command', text: 'users ls' }])
    expect(type('j\r').wishes).toEqual([{ kind: 'open', row: rows[1] }])
    expect(type('y').wishes).toEqual([{ kind: 'copy', row: rows[0] }])
    expect(type('q').wishes).toEqual([{ kind: 'quit' }])
    expect(type('\u0003').wishes).toEqual([{ kind: 'quit' }])
  })

  it('scroll what is opened', () => {
    const lines = Array.from({ length: 30 }, String)
    const open: UiState = { ...startState(pages), over: { kind: 'text', title: 'x', lines, first: 0 } }
    expect(type('jj', open).state.over).toMatchObject({ first: 2 })
    expect(type('G', open).state.over).toMatchObject({ first: 20 })
    expect(type('\u001B', open).state.over).toBeUndefined()
  })

  it('mean one thing on every page', () => {
    const general = Object.values(BINDINGS).flatMap(({ keys }) => [...keys])
    expect(new Set(general).size).toBe(general.length)
    for (const { name, actions } of pages) {
      const own = actions.map(({ key }) => key)
      expect(new Set(own).size, name).toBe(own.length)
      expect(
        own.filter((key) => bindingOf({ character: key } as Key) || /\d/.test(key)),
        name,
      ).toEqual([])
    }
  })
})

it('the window has the marked row in it, and no empty end', () => {
  expect([
    firstSeen(0, 0, 10, 3),
    firstSeen(0, 15, 10, 50),
    firstSeen(30, 15, 10, 50),
    firstSeen(45, 48, 10, 50),
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
  expect(sparkline([0, 1, 4, 8], 4)).toBe(' ▁▄█')
  expect(sparkline([1], 3)).toBe('  █')
  expect(sparkline([], 2)).toBe('  ')
})

describe('the screen', () => {
  const terminal = () => {
    const written: string[] = []
    const out = { columns: 20, rows: 3, write: (text: string) => written.push(text), on: () => out, off: () => out }
    return { written, screen: new Screen(out) }
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

  it('never writes below its end, and gives the terminal back', () => {
    const { written, screen } = terminal()
    screen.write('a\nb\nc\nd')
    expect(written.at(-1)).not.toContain('d')
    screen.leave()
    expect(written.at(-1)).toBe('\u001B[?25h\u001B[?1049l')
  })
})
