// One view, every form: what a list is for people and for programs.
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { formatQuotaInput, parseQuotaFlag } from '../../cli/input/amount.ts'
import { UsageError } from '../../cli/failure.ts'
import { detectLanguage } from '../../cli/language.ts'
import { createPrinter, formatCsvText, type PrinterOptions } from '../../cli/output/output.ts'
import { count, flag, list, money, ms, object, text, time, word, type OutputView } from '../../cli/output/view.ts'
import { fakeServer, runHere } from '../support/terminal.ts'

interface Row {
  id: number
  name: string
  state: string
  quota: number | null
  at: number
}
const STATES = { on: { en: 'switched on', zh: '已开启' }, off: { en: 'switched off', zh: '已关闭' } }
const view: OutputView<Row> = {
  id: count({ en: 'ID', zh: '编号' }, 1, ({ id }) => id),
  name: text({ en: 'NAME', zh: '名称' }, 1, ({ name }) => name),
  state: word({ en: 'STATE', zh: '状态' }, 1, STATES, ({ state }) => state),
  quota: money({ en: 'QUOTA', zh: '额度' }, 1, ({ quota }) => quota),
  at: time({ en: 'AT', zh: '时间' }, 2, ({ at }) => at),
  odd: flag({ en: 'ODD', zh: '奇数' }, 0, ({ id }) => id % 2 === 1),
  took: ms({ en: 'TOOK', zh: '耗时' }, 0, ({ id }) => id * 900),
  tags: list({ en: 'TAGS', zh: '标签' }, 0, ({ name }) => name.split('')),
  inside: object({ en: 'INSIDE', zh: '内部' }, ({ id }) => ({ id })),
}
const rows: Row[] = [
  { id: 1, name: 'ab', state: 'on', quota: 250_000, at: 1_700_000_000 },
  { id: 2, name: '=1+1,"', state: 'off', quota: null, at: -1 },
]

function printer(options: Partial<PrinterOptions> = {}) {
  const out = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (written: string) => (out[name] += written),
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
const printed = async (options: Partial<PrinterOptions>, which = rows) => {
  const { print, out } = printer(options)
  await print.list(which, view, { empty: { en: 'Nothing.', zh: '空。' } })
  return out.stdout
}

describe('a view', () => {
  it('is a table in the language of the person', async () => {
    expect(await printed({ columns: ['id', 'name', 'state', 'quota'] })).toBe(
      'ID  NAME    STATE         QUOTA\n 1  ab      switched on   $0.50\n 2  =1+1,"  switched off\n',
    )
    expect(await printed({ language: 'zh', columns: ['id', 'state', 'odd'] })).toBe(
      '编号  状态    奇数\n   1  已开启  是\n   2  已关闭  否\n',
    )
    expect(await printed({ language: 'zh' }, [])).toBe('空。\n')
  })

  it('is words, dollars beside units, ISO times and objects in JSON, the same in every language', async () => {
    const said = JSON.parse(await printed({ form: 'json' })) as unknown[]
    expect(said).toEqual(JSON.parse(await printed({ form: 'json', language: 'zh' })))
    expect(said).toEqual([
      {
        ...{ id: 1, name: 'ab', state: 'on', quota: 250_000, quota_usd: 0.5, at: '2023-11-14T22:13:20.000Z' },
        ...{ odd: true, took: 900, tags: ['a', 'b'], inside: { id: 1 } },
      },
      {
        ...{ id: 2, name: '=1+1,"', state: 'off', quota: null, quota_usd: null, at: null },
        ...{ odd: false, took: 1800, tags: [...'=1+1,"'], inside: { id: 2 } },
      },
    ])
  })

  it('is CSV that a spreadsheet takes for text, with every field or those that were asked for', async () => {
    expect(await printed({ form: 'csv', columns: ['name', 'quota', 'odd', 'inside'] })).toBe(
      'name,quota,quota_usd,odd,inside\nab,250000,0.5,true,"{""id"":1}"\n"\'=1+1,""",,,false,"{""id"":2}"\n',
    )
    expect((await printed({ form: 'csv' }, [])).trim()).toBe('id,name,state,quota,quota_usd,at,odd,took,tags,inside')
  })

  it('is CSV with JSON in the cells of lists that hold more than words', async () => {
    const cells = { words: ['a', 'b'], things: [{ id: 1 }, { id: 2 }], lists: [['x']], none: [] }
    expect(await formatCsvText(Object.keys(cells), [cells])).toBe(
      'words,things,lists,none\na b,"[{""id"":1},{""id"":2}]","[[""x""]]",\n',
    )
  })

  it('goes through jq, whose texts come bare', async () => {
    expect(await printed({ form: 'json', jq: '.[] | select(.odd) | .name' })).toBe('ab\n')
    expect(await printed({ form: 'json', jq: '[.[].quota] | add' })).toBe('250000\n')
    await expect(printed({ form: 'json', jq: '.[' })).rejects.toThrow(UsageError)
  })

  it.each([
    ['empty', ''],
    ['.[] | select(.id > 9) | .name', ''],
    ['.[0].none', 'null\n'],
    ['""', '\n'],
    ['.[].id, empty', '1\n2\n'],
  ])('goes through the jq filter %s, which prints %j', async (jq, expected) => {
    expect(await printed({ form: 'json', jq })).toBe(expected)
    const { print, out } = printer({ form: 'json', jq: 'select(.id > 9)' })
    await print.next(rows, view)
    await print.one(rows[0]!, view, { quietOutput: '1' })
    await print.done(rows[0]!, view, { human: { en: 'done', zh: 'done' }, quietOutput: '1' })
    await print.text('text', { id: 1 })
    expect(out.stdout).toBe('')
  })

  it('is its first field with --quiet, one object a line where rows keep coming', async () => {
    expect(await printed({ form: 'quiet' })).toBe('1\n2\n')
    const { print, out } = printer({ form: 'json' })
    await print.next(rows, view)
    expect(out.stdout.trim().split('\n')).toHaveLength(2)
  })

  it('of one thing is a line a field', async () => {
    const { print, out } = printer()
    await print.one(rows[0]!, view, { quietOutput: '1' })
    expect(out.stdout).toMatch(/^ID {5}1\nNAME {3}ab\nSTATE {2}switched on\nQUOTA {2}\$0\.50\nAT {5}2023-11-1/)
  })

  it('has no other fields than its own', async () => {
    await expect(printed({ columns: ['colour'] })).rejects.toThrow('--columns: unknown field colour')
  })
})

describe('the language', () => {
  it.each([
    [[], { LANG: 'zh_CN.UTF-8' }, 'zh'],
    [[], { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
    [[], { LANG: 'en_GB.UTF-8', WEIR_LANGUAGE: 'zh' }, 'zh'],
    [['users', '--language=en'], { LANG: 'zh_CN.UTF-8' }, 'en'],
    [['--language', 'zh', 'users'], {}, 'zh'],
    [[], {}, 'en'],
  ])('of %j with %j is %s', (args, env, language) => expect(detectLanguage(args, env)).toBe(language))

  it('is that of help and usage errors too', async () => {
    const env = { LANG: 'zh_CN.UTF-8' }
    expect((await runHere(['users', 'ls', '--help'], { env })).stdout).toMatch(
      /^用法: weir users ls\|list \[options\]\n\n列出用户/,
    )
    expect((await runHere(['users', 'lst'], { env })).stderr).toMatch(/^weir: 未知命令 lst（可用：ls, show, .*）\n$/)
  })
})

describe('amounts', () => {
  const units = (typed: string) => parseQuotaFlag('--amount', typed)({ quota_per_unit: 500_000 })
  it.each([
    ['$5', 2_500_000],
    ['$0.000002', 1],
    ['-$1.50', -750_000],
    ['$-1.50', -750_000],
    ['2500000', 2_500_000],
    ['2,500,000', 2_500_000],
    ['1.5', 750_000],
  ])('%s is %i units', (typed, expected) => expect(units(typed)).toBe(expected))

  it.each(['$0.0000001', '1,5', 'five', '', '--5', '$', '1e5', '$9999999999999999'])('%j is none', (typed) => {
    expect(() => units(typed)).toThrow(UsageError)
  })

  it.each(['0', '$0', '-', '-0', ''])('%j, which a shell makes of an unquoted amount, is explained', (typed) => {
    expect(() => parseQuotaFlag('--amount', typed, { zero: 'refused' })).toThrow(/A shell turns an unquoted/)
  })

  it('are written in forms as they are read, and in dollars where nothing is lost', () => {
    expect(formatQuotaInput(2_500_000, { quota_per_unit: 500_000 })).toBe('5usd')
    expect(formatQuotaInput(1, { quota_per_unit: 3 })).toBe('1')
    const amounts = fc.integer({ min: 0, max: 2 ** 52 })
    const rates = fc.constantFrom(1, 3, 7_300, 500_000, 1_000_000)
    fc.assert(
      fc.property(amounts, rates, (amount, quota_per_unit) => {
        const typed = formatQuotaInput(amount, { quota_per_unit })
        expect(parseQuotaFlag('--quota', typed)({ quota_per_unit })).toBe(amount)
      }),
    )
  })
})

it('a missing or a wrong access token is explained by the way to sign in', async () => {
  for (const code of ['access.login_required', 'access.token_invalid']) {
    const server = await fakeServer(() => ({ status: 401, body: { success: false, message: 'No', code } }))
    const { code: exit, stderr } = await runHere(['users', 'ls', '--server', server.url])
    await server.close()
    expect([exit, stderr]).toEqual([1, expect.stringContaining(`weir login ${server.url}`)])
  }
})

describe('ways to print', () => {
  it.each([
    [['users', '--json', '--csv'], 'exclude each other'],
    [['users', '--quiet', '--jq', '.'], 'exclude each other'],
    [['channels', 'delete', '1', '--yes', '--watch', '2s'], 'commands that only look'],
    [['users', '--watch', 'soon'], '--watch accepts a span'],
    [['users', '--until', 'length > 1'], '--until is for --watch'],
    [['users', '--watch', '1s', '--until', '.['], '--until: jq: error'],
    [['logs', 'ls', '--until', 'length > 1'], '--until accepts a span'],
  ])('%j are refused', async (args, message) => {
    const { code, stderr } = await runHere(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('--watch with --until', () => {
  /** A Weir with one more team at each request. */
  const growing = () => {
    let count = 0
    return fakeServer(({ url }) => {
      if (!url.includes('/api/team')) return { body: { success: true, message: '', data: {} } }
      count += 1
      const items = Array.from({ length: count }, (_, at) => ({ ...TEAM, id: at + 1, name: `team ${at + 1}` }))
      return {
        body: { success: true, message: '', data: { items, total: count, page: 1, page_size: 50, next_cursor: '' } },
      }
    })
  }
  const TEAM = { quota: 0, used_quota: 0, request_count: 0, created_time: 1, role: 'owner', members: 1 }
  const args = ['teams', 'ls', '--columns', 'name', '--watch', '1s', '--until', 'length > 1', '--server']

  it('ends with 0 as soon as the filter is true, and prints each result in a pipe', async () => {
    const weir = await growing()
    const { code, stdout } = await runHere([...args, weir.url])
    await weir.close()
    expect([code, stdout]).toEqual([0, 'NAME\nteam 1\nNAME\nteam 1\nteam 2\n'])
  })

  it('leaves what stood on the terminal, and the last result below it', async () => {
    const weir = await growing()
    const { code, stdout } = await runHere([...args, weir.url], { tty: true, env: { NO_COLOR: '1', TERM: 'xterm' } })
    await weir.close()
    expect(code).toBe(0)
    const [before, drawn, after, ...more] = stdout.split(/\u001B\[\?1049[hl]/)
    expect([before, after, more]).toEqual(['', 'NAME\nteam 1\nteam 2\n', []])
    expect(drawn).toContain('team 1')
    expect(stdout).not.toContain('\u001B[3J')
  })
})
