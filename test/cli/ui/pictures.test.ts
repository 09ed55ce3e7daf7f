// Every page of `weir ui` as a picture of text, at the sizes that terminals have.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import stringWidth from 'fast-string-width'
import { allPages } from '../../../cli/ui/pages/index.ts'
import { driverHere, NOW, picture } from './world.ts'

const SIZES = [
  [80, 24],
  [120, 40],
  [60, 20],
] as const

/** Kept at every size; the other pages are looked at on the usual one. */
const WIDE = ['live', 'channels']

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

it.each(allPages.map(({ name }) => name))(
  '%s fits a very wide terminal, and shows all that a usual one shows',
  async (page) => {
    const [wide, usual] = [
      await picture({ page, columns: 200, rows: 50 }),
      await picture({ page, columns: 120, rows: 50 }),
    ]
    expect(wide).toHaveLength(50)
    expect(wide.filter((line) => stringWidth(line) > 200)).toEqual([])
    const shown = wide.join(' ')
    const missing = usual
      .join(' ')
      .split(/\s+/)
      .filter((word) => /^[\w.-]{4,}$/.test(word) && !shown.includes(word))
    expect(missing).toEqual([])
  },
)

describe.each(SIZES)('at %i x %i', (columns, rows) => {
  it.each(allPages.map(({ name }) => name))('%s', async (page) => {
    const lines = await picture({ page, columns, rows })
    expect(lines).toHaveLength(rows)
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([])
    if (columns === 80 || WIDE.includes(page))
      await expect(lines.join('\n')).toMatchFileSnapshot(`pictures/${page}-${columns}x${rows}.txt`)
  })

  it.each(allPages.map(({ name }) => name))('%s in Chinese fits', async (page) => {
    const lines = await picture({ page, columns, rows, language: 'zh' })
    expect(lines).toHaveLength(rows)
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([])
  })

  it('help, a question and what is typed stand over it', async () => {
    // What is waited for needs a time that passes.
    vi.useRealTimers()
    const { driver, has, type } = driverHere({ size: () => ({ columns, rows }) })
    type('3?')
    await has('test one model')
    await expect(driver.lines().join('\n')).toMatchFileSnapshot(`pictures/help-${columns}x${rows}.txt`)
    type('\u001B:users')
    expect(driver.lines().at(-1)).toBe(' :users ')
    type('\u001Bd')
    await has('y do it')
    await expect(driver.lines().join('\n')).toMatchFileSnapshot(`pictures/question-${columns}x${rows}.txt`)
    expect(driver.lines().filter((line) => stringWidth(line) > columns)).toEqual([])
    expect(driver.lines()).toHaveLength(rows)
    driver.stop()
  })
})

it('is read in Chinese', async () => {
  const lines = await picture({ page: 'channels', columns: 80, rows: 24, language: 'zh' })
  await expect(lines.join('\n')).toMatchFileSnapshot('pictures/channels-zh-80x24.txt')
})
