// Every page of `weir ui` as a picture of text, at the sizes that terminals have.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { widthOf } from '../../../cli/table.ts'
import { pages } from '../../../cli/ui/pages/index.ts'
import { NOW, picture } from './world.ts'

const SIZES = [
  [80, 24],
  [120, 40],
  [60, 20],
] as const

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
})
afterAll(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe.each(SIZES)('at %i x %i', (columns, rows) => {
  it.each(pages.map(({ name }) => name))('%s', async (page) => {
    const lines = await picture({ page, columns, rows })
    expect(lines).toHaveLength(rows)
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
    await expect(lines.join('\n')).toMatchFileSnapshot(`pictures/${page}-${columns}x${rows}.txt`)
  })

  it.each(pages.map(({ name }) => name))('%s in Chinese fits', async (page) => {
    const lines = await picture({ page, columns, rows, language: 'zh' })
    expect(lines).toHaveLength(rows)
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
  })

  it('help, a question and what is typed stand over it', async () => {
    const help = await picture({
      page: 'channels',
      columns,
      rows,
      change: (state) => ({ ...state, over: { kind: 'help' } }),
    })
    await expect(help.join('\n')).toMatchFileSnapshot(`pictures/help-${columns}x${rows}.txt`)
    const typed = await picture({
      ...{ page: 'channels', columns, rows },
      change: (state) => ({ ...state, over: { kind: 'typing', what: 'command', text: 'users' } }),
    })
    expect(typed.at(-1)).toMatch(/^ :users/)
    const question = { en: 'Disable it?', zh: '' }
    const act = { key: 'd', row: {}, answers: {} }
    const asked = await picture({
      ...{ page: 'channels', columns, rows },
      change: (state) => ({ ...state, over: { kind: 'sure', question, act } }),
    })
    expect(asked.at(-1)).toBe(' Disable it?  y / n')
  })
})

it('is read in Chinese', async () => {
  const lines = await picture({ page: 'channels', columns: 80, rows: 24, language: 'zh' })
  await expect(lines.join('\n')).toMatchFileSnapshot('pictures/channels-zh-80x24.txt')
})
