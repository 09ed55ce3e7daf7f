// Starts and ends the screen: the alternate one, Ink on it, and the rows of the log that keep coming.
import { render } from 'ink'
import type { Surroundings } from '../command.ts'
import { followCalls } from './follow-calls.ts'
import { coloured, painter } from '../paint.ts'
import { onInterrupt } from '../signals.ts'
import { App } from './app.tsx'
import type { AnyPage, Ports } from './page.ts'
import { createPulse } from './pulse.ts'
import { copySequence, Screen } from './screen.ts'

const FIRST_ROWS = 100
const BEAT_MS = 1000

type Given = Pick<Surroundings, 'connection' | 'money' | 'language' | 'terminal' | 'env' | 'runBeside'>

/** Shows the pages until the person leaves. */
export async function runUi(given: Given, pages: readonly AnyPage[]): Promise<void> {
  const { language, env } = given
  const { stdin, stdout } = given.terminal.streams
  const connection = await given.connection()
  const { client } = connection
  const pulse = createPulse()
  const ports: Ports = { client, language, money: await given.money(), pulse }
  const ended = new AbortController()
  const signal = onInterrupt()
  const first = await client.logs.list({ p: 1, page_size: FIRST_ROWS })
  pulse.add(first.items)
  let beats = 0
  const following = followCalls(client, first.items[0]?.id ?? 0, pulse, ended.signal)
  // The minute goes on also where nothing comes.
  const beating = setInterval(() => (beats += 1), BEAT_MS)
  const screen = new Screen(stdout)
  const size = () => ({ columns: screen.columns, rows: screen.rows })
  const app = () => (
    <App
      pages={pages}
      ports={ports}
      label={connection.via === 'remote' ? connection.label : LOCAL[language]}
      size={size()}
      paint={painter(coloured(stdout, env))}
      beat={() => beats}
      command={async (text) => {
        const { code, output } = await given.runBeside(wordsIn(text))
        return { text: output, bad: code !== 0 }
      }}
      copy={(text) => stdout.write(copySequence(text))}
      onQuit={() => ended.abort()}
    />
  )
  const instance = render(app(), {
    stdin,
    stdout: screen as unknown as NodeJS.WriteStream,
    // Whole frames, as they are drawn: the screen writes what is new in them.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  const resized = () => instance.rerender(app())
  screen.on('resize', resized)
  signal.addEventListener('abort', () => ended.abort(), { once: true })
  await new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve(), { once: true }))
  clearInterval(beating)
  instance.unmount()
  screen.leave()
  await following
}

const LOCAL = { en: 'this machine', zh: '本机' }

/** The words of a command line, as a shell would part them. */
function wordsIn(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
