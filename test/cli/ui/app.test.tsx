// `weir ui` as it is drawn and used: keys in, text out.
import { render } from 'ink-testing-library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { painter } from '../../../cli/paint.ts'
import { App } from '../../../cli/ui/app.tsx'
import { pages } from '../../../cli/ui/pages/index.ts'
import { until } from '../../support/terminal.ts'
import { NOW, portsIn } from './world.ts'

const HEARD_MS = 30
const shown: { unmount(): void }[] = []
afterEach(() => shown.splice(0).forEach((one) => one.unmount()))

async function open(changes: object = {}) {
  const ports = portsIn('en')
  const client = Object.assign(ports.client, changes)
  const seen = { copied: '', left: false }
  const screen = render(
    <App
      pages={pages}
      ports={{ ...ports, client }}
      label="this machine"
      size={{ columns: 100, rows: 24 }}
      paint={painter(false)}
      beat={() => 1}
      command={async (text) => ({ text: `one\n${text}\nthree`, bad: false })}
      copy={(text) => (seen.copied = text)}
      onQuit={() => (seen.left = true)}
      now={() => NOW}
    />,
  )
  shown.push(screen)
  /** Waits until it is seen, and then until keys are heard there: what is drawn is listened to a moment later. */
  const has = async (text: string) => {
    await until(() => screen.lastFrame()?.includes(text) === true).catch(() => {
      throw new Error(`waited in vain for “${text}” on\n${screen.lastFrame()}`)
    })
    await new Promise((resolve) => setTimeout(resolve, HEARD_MS))
  }
  // Keys are heard once something was loaded.
  await has('OpenAI main')
  return { ...screen, seen, has, keys: (typed: string) => screen.stdin.write(typed) }
}

describe('the screen', () => {
  it('shows each page, and comes back', async () => {
    const { keys, has } = await open()
    for (const [key, text] of [
      ['2', 'LAST 24 HOURS'],
      ['3', 'Platform'],
      ['4', 'agents'],
      ['5', 'claude-opus-4-5'],
      ['6', 'alice (user 2)'],
      ['7', 'suno-1'],
      ['8', 'RetryTimes'],
      ['1', 'calls/min'],
    ] as const) {
      keys(key)
      await has(text)
    }
  })

  it('does nothing before a yes, and tells what has come of it', async () => {
    const update = vi.fn(async () => ({ name: 'OpenAI main' }))
    const channels = { ...portsIn('en').client.channels, update }
    const { keys, has } = await open({ channels })
    keys('2')
    await has('LAST 24 HOURS')
    keys('d')
    await has('Disable “OpenAI main”?')
    keys('n')
    await has('t test')
    expect(update).not.toHaveBeenCalled()
    keys('d')
    await has('y / n')
    keys('y')
    await has('“OpenAI main” is off.')
    expect(update).toHaveBeenCalledExactlyOnceWith({ id: 1, status: 2 })
  })

  it('asks for what must be filled in, then whether it shall be done', async () => {
    const update = vi.fn(async () => null)
    const users = { ...portsIn('en').client.users, update }
    const { keys, has } = await open({ users })
    keys('3')
    await has('Platform')
    keys('j')
    keys('a')
    await has('Amount')
    keys('$5\rgift\r')
    await has('Add $5 to the balance of “alice”?')
    keys('y')
    await has('“alice” has $5.00.')
    expect(update).toHaveBeenCalledExactlyOnceWith({ id: 2, quota: 2_500_000, quota_before: 0, reason: 'gift' })
  })

  it('tells a failure and goes on', async () => {
    const failing = async () => {
      throw new Error('The provider is asleep')
    }
    const channels = { ...portsIn('en').client.channels, test: failing }
    const { keys, has } = await open({ channels })
    keys('2')
    await has('LAST 24 HOURS')
    keys('t')
    await has('Send a test call')
    keys('y')
    await has('The provider is asleep')
    keys('j')
    await has('❯  2')
  })

  it('filters, opens, copies, runs commands and leaves', async () => {
    const { keys, has, seen } = await open()
    keys('4')
    await has('agents')
    keys('/old')
    await has('/old')
    keys('\r')
    await has('1/1')
    keys('y')
    await has('Copied old one')
    expect(seen.copied).toBe('old one')
    keys('\r')
    await has('Tokens: old one')
    keys('\u001B')
    await has('Enter open')
    keys(':channels\r')
    await has('LAST 24 HOURS')
    keys(':users ls\r')
    await has('three')
    keys('\u001B')
    await has('LAST 24 HOURS')
    keys('q')
    await until(() => seen.left)
  })
})
