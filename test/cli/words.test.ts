// Every text of the terminal is in both languages: reads in the source whatever types cannot prove.
import { describe, expect, it } from 'vitest'
import { allCommands } from '../../cli/commands/index.ts'
import type { BilingualText } from '../../cli/language.ts'
import { referencePages } from '../../cli/reference/index.ts'
import { searchReferencePages } from '../../cli/reference/search.ts'
import type { OutputView } from '../../cli/output/view.ts'
import { runHere } from '../support/terminal.ts'
import { leaves } from './commands.data.ts'

const CHINESE = /\p{Script=Han}/u
/** Four English words in a row, but for what is typed: commands, options, addresses, names of things. */
const sentenceIn = (text: string): string | undefined =>
  /(?:\b[a-z']{2,}[ ,]+){4,}/.exec(
    text.replace(/`[^`]*`|"[^"]*"|\bweir [^，。；：）]*|--[\w-]+( <[^>]*>)?|<[^>]*>/g, ''),
  )?.[0]

// @ts-expect-error A bare text is no sentence: one in a single language does not compile.
void ('Only in English' satisfies BilingualText)

describe('in Chinese', () => {
  const groups = allCommands.flatMap((entry) => ('commands' in entry ? [entry.name] : []))

  it('help of every command has no English sentence', async () => {
    for (const name of ['', ...groups, ...leaves.map(([path]) => path)]) {
      const { code, stdout } = await runHere([...name.split(' ').filter(Boolean), '--help', '--language', 'zh'])
      expect([name, code]).toEqual([name, 0])
      expect(stdout, name).toMatch(CHINESE)
      for (const line of stdout.split('\n').slice(1)) expect(sentenceIn(line), `${name}: ${line}`).toBeUndefined()
    }
  })

  it('everything that a command prints has a Chinese title', () => {
    for (const [name, { output: gives }] of leaves)
      for (const [field, { title, names = {} }] of Object.entries((gives?.view ?? {}) as OutputView<never>)) {
        expect(CHINESE.test(title.zh) || /^[A-Z\d]{0,4}$/.test(title.en), `${name}: ${field}`).toBe(true)
        for (const { en, zh } of Object.values(names))
          expect(CHINESE.test(zh) || en === zh, `${name}: ${en}`).toBe(true)
      }
  })

  it.each(referencePages)('the page $topic has no English sentence, and the same lines', ({ write }) => {
    const [en, zh] = [write(allCommands, 'en').split('\n'), write(allCommands, 'zh').split('\n')]
    expect(zh.length).toBe(en.length)
    for (const line of zh) expect(sentenceIn(line), line).toBeUndefined()
  })
})

describe('weir docs --search', () => {
  const found = (words: string, language: 'en' | 'zh' = 'en') =>
    searchReferencePages(referencePages, words, allCommands, language)

  it('finds commands, endpoints, settings and errors, with the command that shows each', async () => {
    expect(found('topup amount')).toContainEqual(
      expect.objectContaining({ topic: 'commands', heading: expect.stringMatching(/^weir users topup/) }),
    )
    expect(found('users.create').map(({ topic }) => topic)).toContain('endpoints')
    expect(found('RetryTimes')[0]).toMatchObject({ topic: 'settings', command: 'weir docs settings' })
    expect(found('channel.missing')).toContainEqual(expect.objectContaining({ topic: 'errors' }))
    expect(found('topup --help')).toEqual([])
  })

  it('begins with what is headed by the words, and commands come before endpoints', () => {
    const [first] = found('users topup')
    expect(first).toMatchObject({ topic: 'commands', command: 'weir users topup --help' })
    expect(first?.text).toBe(first?.heading)
    const topics = found('quota').map(({ topic, text, heading }) => ({ topic, headed: text === heading }))
    expect(topics.findLastIndex(({ headed }) => headed)).toBeLessThan(topics.findIndex(({ headed }) => !headed))
    expect(topics.findLastIndex(({ topic, headed }) => topic === 'commands' && !headed)).toBeLessThan(
      topics.findIndex(({ topic, headed }) => topic === 'endpoints' && !headed),
    )
  })

  it('finds it in either language, and prints the own one', () => {
    const [here] = found('重试')
    const [there] = found('重试', 'zh')
    expect(here?.text).not.toMatch(CHINESE)
    expect(there).toMatchObject({ topic: here?.topic, line: here?.line, text: expect.stringMatching(CHINESE) })
  })

  it('names the lines of the pages as they are printed', async () => {
    const { stdout: page } = await runHere(['docs', 'settings'])
    const { code, stdout } = await runHere(['docs', 'settings', '--search', 'RetryTimes', '--json'])
    const [hit] = JSON.parse(stdout) as { line: number; command: string; text: string }[]
    expect(code).toBe(0)
    expect(page.split('\n')[(hit?.line ?? 0) - 1]).toContain('`RetryTimes`')
  })

  it('says where nothing has it, and refuses a page that is none', async () => {
    expect(await runHere(['docs', '--search', 'zzzz'])).toMatchObject({ code: 0, stdout: 'No page has "zzzz".\n' })
    expect(await runHere(['docs', 'nonsense', '--search', 'x'])).toMatchObject({ code: 2 })
    expect(await runHere(['docs', '--search', ' '])).toMatchObject({ code: 2 })
  })
})
