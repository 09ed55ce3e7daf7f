// `weir ui` as it is used: keys in, text out, and the commands that it runs.
import { describe, expect, it, vi } from 'vitest'
import { GatewayUnreachable } from '../../../cli/failure.ts'
import { asUntranslatedText } from '../../../cli/language.ts'
import type { FieldListState } from '../../../cli/parts/field-list-state.ts'
import { driverHere, portsIn } from './world.ts'

/** The world with some of its endpoints answering otherwise. */
const answering = (changes: object) => {
  const ports = portsIn('en')
  return { ports: { ...ports, client: Object.assign({}, ports.client, changes) } }
}

describe('pages', () => {
  it('are shown one by one, and again', async () => {
    const { type, has } = driverHere()
    for (const [key, text] of [
      ['3', 'LAST 24 HOURS'],
      ['4', 'Platform'],
      ['5', 'agents'],
      ['6', 'claude-opus-4-5'],
      ['7', 'alice (user 2)'],
      ['8', 'suno-1'],
      ['9', 'RetryTimes'],
      ['2', 'calls/min'],
    ] as const) {
      type(key)
      await has(text)
    }
  })

  it('are filtered, opened and copied from', async () => {
    const { type, has, seen } = driverHere()
    type('5/old\r')
    await has('/old 1/1')
    type('y')
    await has('Copied old one')
    expect(seen.copied).toBe('old one')
    type('\r')
    await has('Tokens: old one')
    type('\u001B')
    await has('? keys')
  })

  it('drop what was typed behind an act that cannot be done', async () => {
    const { type, has, seen, screen } = driverHere()
    type('4dy')
    await has('A team cannot be disabled')
    type('4pex')
    await has('This is for users.')
    expect([screen().includes('Esc back'), seen.commands]).toEqual([false, []])
  })

  it('keep the mark on its row where rows come and go', async () => {
    const ids = { now: [3, 2, 1] }
    const rowOf = (id: number) => ({ id, name: `token ${id}`, key: '', status: 1, remain_quota: 0, used_quota: 0 })
    const tokens = { list: async () => ({ data: ids.now.map(rowOf), next_cursor: '' }) }
    const { type, has } = driverHere(answering({ tokens }))
    type('5')
    await has('token 3')
    type('j')
    await has(/❯ +2/)
    ids.now = [5, 4, 3, 2, 1]
    type('r')
    await has('token 5')
    await has(/❯ +2/)
  })

  it('say what keeps them from being loaded until it is over, and try again by themselves', async () => {
    const state = { down: false }
    const list = async () => {
      if (state.down) throw new GatewayUnreachable(asUntranslatedText('The server does not answer.'))
      return { items: [{ id: 9, name: 'Platform', quota: 1, used_quota: 1, request_count: 1 }] }
    }
    vi.useFakeTimers()
    try {
      const { type, screen } = driverHere(answering({ teams: { list } }))
      type('4')
      await vi.advanceTimersByTimeAsync(0)
      expect(screen()).toContain('Platform')
      state.down = true
      await vi.advanceTimersByTimeAsync(5000)
      expect(screen()).toMatch(/Platform[\s\S]*The server does not answer\./)
      state.down = false
      await vi.advanceTimersByTimeAsync(3000)
      expect(screen()).not.toContain('does not answer')
    } finally {
      vi.useRealTimers()
    }
  })

  it('tell that new calls do not come', async () => {
    const { driver, has, screen } = driverHere()
    await driver.start()
    driver.cutOff(new GatewayUnreachable(asUntranslatedText('The server does not answer.')))
    await has('The server does not answer.')
    driver.cutOff(undefined)
    expect(screen()).not.toContain('does not answer')
  })
})

describe('acts', () => {
  it('do nothing before a yes, name the command, and tell what has come of it', async () => {
    const { type, has, seen } = driverHere()
    type('3d')
    await has('Disable “OpenAI main”?')
    await has('weir channels disable 1')
    type('n')
    await has('t test')
    expect(seen.commands).toEqual([])
    type('dy')
    await has('Done it.')
    expect(seen.commands).toEqual(['channels disable 1'])
  })

  it('ask for what must be filled in first, also where it is typed ahead', async () => {
    const { type, has, seen } = driverHere()
    // Nothing is loaded yet: the keys wait for their row.
    type('4ja$5\rgift\r')
    await has('Add $5 to the balance of “alice”?')
    type('y')
    await has('Done it.')
    expect(seen.commands).toEqual(['users topup --reason=gift -- 2 $5'])
  })

  it('wait for the rows of a new filter', async () => {
    const { type, has, seen } = driverHere()
    type('5')
    await has('work')
    type('/old\rd')
    await has('Enable the token “old one”?')
    type('y')
    await has('Done it.')
    expect(seen.commands).toEqual(['tokens enable 3'])
  })

  it('change what was changed, and nothing else', async () => {
    const { driver, type, has, seen } = driverHere()
    type('5e\u0013')
    await expect
      .poll(() => (driver.state.over as { list?: FieldListState })?.list?.problem?.en)
      .toBe('Nothing was changed.')
    type('\r\u0015a name\r/quota\r\r\u0015$7\r\u0013')
    await has('Save the changes')
    type('y')
    await has('Done it.')
    expect(seen.commands).toEqual(['tokens edit 1 --quota=$7 --name=a name'])
  })

  it('never show a secret, and show what is told once until it is closed', async () => {
    const { type, has, screen, seen } = driverHere({
      command: async () => ({ code: 0, output: 'Made it.\nThe key is sk-1\n' }),
    })
    type('4jpsecret-word\r')
    await has('weir users password --password=•••• 2')
    expect(screen()).not.toContain('secret-word')
    type('y')
    await has('The key is sk-1')
    type('y')
    expect(seen.copied).toBe('Made it.\nThe key is sk-1')
  })

  it('leave what is told once until it is closed', async () => {
    const { type, has, screen } = driverHere({ command: async () => ({ code: 0, output: 'The password is x1.\n' }) })
    type('4jp\ry')
    await has('The password is x1.')
    type('jx')
    expect(screen()).toContain('The password is x1.')
    type('\u001B')
    expect(screen()).not.toContain('x1')
  })

  it('that only look ask nothing', async () => {
    const { type, has, seen } = driverHere()
    type('3K')
    await has('Done it.')
    expect(seen.commands).toEqual(['channels keys ls 1'])
  })

  it('tell a failure and go on', async () => {
    const { type, has } = driverHere({ command: async () => ({ code: 1, output: 'weir: The provider is asleep\n' }) })
    type('3ty')
    await has(' The provider is asleep')
    type('j')
    await has(/❯ +2/)
  })

  it('that take long are left with Esc', async () => {
    let stopped = false
    const { type, has, seen } = driverHere({
      command: (_, signal) =>
        new Promise(() => signal.addEventListener('abort', () => (stopped = true), { once: true })),
    })
    type(':logs tail\rjj')
    await has('Esc stops waiting')
    type('\u001B')
    await has('Stopped waiting')
    expect(stopped).toBe(true)
    type('q')
    expect(seen.left).toBe(true)
  })

  it('of a model tell what its price would have meant', async () => {
    const { type, has, seen } = driverHere()
    type('6/gpt\re\r\u00152\r\u0013')
    await has('Set gpt-5.1: input $1.25 → $2, output stays $10?')
    await has(/12 calls of the last 30 days cost 3 users\s+\$10\.00; it would have\s+been \$15\.00/)
    type('y')
    await has('Done it.')
    expect(seen.commands).toEqual(['prices set --input=2 --output=10 -- gpt-5.1'])
  })
})

describe('behind the colon', () => {
  it('there are pages and all commands', async () => {
    const { type, has, seen } = driverHere({})
    type(':channels\r')
    await has('LAST 24 HOURS')
    type(`:weir users ls --search "a b" --group='x y'\r`)
    await has('Done it.')
    expect(seen.commands).toEqual(['users ls --search a b --group=x y'])
    type(':q\r')
    expect(seen.left).toBe(true)
  })
})

describe('the mouse', () => {
  const at = (lines: string[], text: string) => {
    const row = lines.findIndex((line) => line.includes(text))
    return { row, column: lines[row]!.indexOf(text) }
  }

  it('is off until M, marks and opens rows, goes to pages and scrolls', async () => {
    // Wide enough for the names of all pages.
    const { driver, has, type, seen, screen } = driverHere({ size: () => ({ columns: 200, rows: 24 }) })
    const click = (text: string) => driver.point({ what: 'click', ...at(driver.lines(), text) })
    type('M')
    expect(seen.mouse).toBe(true)
    click('5 Tokens')
    await has('agents')
    click('old one')
    await has(/❯ +3/)
    click('old one')
    await has('Tokens: old one')
    type('\u001B3')
    await has('OpenAI main')
    driver.point({ what: 'wheelDown', column: 3, row: 9 })
    await has(/❯ +4/)
    driver.point({ what: 'wheelUp', column: 3, row: 9 })
    await has(/❯ +1/)
    type('d')
    await has('y do it')
    click('Anthropic')
    expect(screen()).toContain('y do it')
    type('nM')
    expect(seen.mouse).toBe(false)
  })
})

describe('the rows of a page', () => {
  it('are filtered while the filter is typed, by text and by fields', async () => {
    const { type, has, screen } = driverHere()
    type('3')
    await has('OpenAI main')
    type('/status:auto')
    await expect.poll(() => screen().match(/auto disabled/g)?.length ?? 0).toBeGreaterThan(5)
    expect(screen()).not.toMatch(/OpenAI main|Anthropic/)
    type(' nothing')
    await has('Nothing matches')
    type('\u001B')
    await has('OpenAI main')
    type('/id:>28\r')
    await has('/id:>28 1/2')
  })

  it('say that a field was looked for among the loaded rows only', async () => {
    const { type, has } = driverHere()
    type('4/name:bob\r')
    await has('Filtered among the')
  })

  it('are sorted by a column, turned around, and back in their own order', async () => {
    const { type, has, screen } = driverHere()
    type('3>')
    await has('ID ↓')
    await has(/❯ +30/)
    type('=')
    await has('ID ↑')
    await has(/❯ +1 /)
    type('<')
    await has(/❯ +1 /)
    expect(screen()).not.toMatch(/[↑↓]/)
  })

  it('are marked, and an action is for all of them after one question that names them', async () => {
    const { type, has, seen } = driverHere()
    type('5  d')
    await has('disable/enable: work, agents?')
    expect(seen.commands).toEqual([])
    type('y')
    await has('Done for 2 rows.')
    expect(seen.commands.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'tokens disable',
      'tokens disable',
    ])
  })

  it('stay marked where an action fails, and refuse what asks about one', async () => {
    const { type, has, seen } = driverHere({ command: async () => ({ code: 1, output: 'weir: It was refused.' }) })
    type('5  e')
    await has('one row at a time')
    type('dy')
    await has(/Done for 0 of 2 rows; stopped at work: It was refused\./)
    expect(seen.commands).toEqual([])
    type('\u001B')
    await has('? keys')
  })

  it('refuse a value of the filter that the server does not know', async () => {
    const { type, has } = driverHere()
    type(':calls\r/type:nonsense\r')
    await has('type: takes one of')
  })

  it('lead from a channel to its calls and errors', async () => {
    const asked: object[] = []
    const logs = { list: async (query: object) => (asked.push(query), { items: [], total: 0 }) }
    const { type, has } = driverHere(answering({ logs }))
    type('3E')
    await has('/channel:1 type:error')
    expect(asked.at(-1)).toMatchObject({ channel: '1', type: 5 })
  })
})

describe('what is typed after a colon', () => {
  it('is completed by Tab, not run', async () => {
    const complete = async (line: readonly string[]) => (line.length > 1 ? ['ls', 'test'] : ['channels', 'chat'])
    const { driver, type, has, seen } = driverHere({ complete })
    type(':ch\t')
    await has('channels  chat')
    expect(driver.lines().at(-1)).toBe(' :cha ')
    type('nn\t')
    await has(':channels ')
    type('te\t')
    await has(':channels test ')
    expect(seen.commands).toEqual([])
  })
})

it('tells a change in one line, whatever its command prints', async () => {
  const { type, has, screen } = driverHere({
    command: async () => ({ code: 0, output: 'Disabled channel 1.\nIt is the only one of four models.\n' }),
  })
  type('3dy')
  await has('Disabled channel 1.')
  expect(screen()).not.toContain('the only one')
})
