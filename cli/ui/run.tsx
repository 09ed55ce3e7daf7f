// Start and end of the screen: the alternate screen, Ink on it, and the stream of log rows.
import { Box, render } from 'ink'
import { useLayoutEffect, useReducer } from 'react'
import type { WeirClient } from '../../core/contracts.ts'
import { USER_ROLE } from '../../core/users/user.ts'
import type { CommandEnvironment } from '../command.ts'
import { GatewayRefusal } from '../failure.ts'
import { editTextInEditor } from '../input/editor.ts'
import { pickLanguage } from '../language.ts'
import { streamNewRows } from '../connection/log-stream.ts'
import { findCandidates } from '../completion/complete.ts'
import { toCompletionTable, type CompletionTable } from '../completion/table.ts'
import { globalOptions } from '../program.ts'
import { createPainter, supportsTerminalColor } from '../output/paint.ts'
import { FieldListView } from '../parts/field-list.tsx'
import { TerminalFormView } from '../parts/form.tsx'
import { useKeyPresses } from '../parts/keys.ts'
import { PaintedLines } from '../parts/painted.tsx'
import { TranslateContext } from '../parts/speaking.ts'
import { createDriver, type DriverOptions } from './driver.ts'
import type { RowOrder } from './arrange.ts'
import type { AnyPage, UiPagePorts } from './page.ts'
import { createPulse } from './pulse.ts'
import { copySequence, InkScreenStream } from './screen.ts'
import { words } from '../texts.ts'

// The screen of `weir ui`: passes keys to the driver, and draws changes.

export interface AppProps {
  /** Created once, because it keeps the state of the screen. */
  driver: ReturnType<typeof createDriver>
  language: DriverOptions['ports']['language']
  size: { columns: number; rows: number }
  /** Registers a function that redraws the screen. Returns the function that unregisters it. */
  onChange(redraw: () => void): () => void
}

export function UiApp({ driver, language, size, onChange }: AppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  // Registered in the layout phase, because changes between drawing and listening would be missed.
  useLayoutEffect(() => onChange(redraw), [onChange])
  // One listener for the whole lifetime: between two listeners keys would be lost.
  useKeyPresses(driver.press, driver.point)
  const lines = driver.lines()
  const { over } = driver.state
  const room = size.rows - 3
  return (
    <TranslateContext.Provider value={language}>
      <Box flexDirection="column" width={size.columns} height={size.rows}>
        {over?.kind === 'form' || over?.kind === 'fields' ? (
          <>
            <PaintedLines lines={lines.slice(0, 2)} />
            <Box paddingLeft={1} flexGrow={1} overflow="hidden">
              {over.kind === 'form' ? (
                <TerminalFormView title={pickLanguage(over.title, language)} state={over.form} room={room} editor />
              ) : (
                <FieldListView
                  title={pickLanguage(over.title, language)}
                  state={over.list}
                  room={room}
                  width={size.columns - 2}
                  editor
                />
              )}
            </Box>
          </>
        ) : (
          <PaintedLines lines={lines} />
        )}
      </Box>
    </TranslateContext.Provider>
  )
}

const FIRST_ROWS = 100
/** The last minute moves on even without new rows. */
const BEAT_MS = 1000

type UiEnvironment = Pick<
  CommandEnvironment,
  'commands' | 'connection' | 'money' | 'language' | 'terminal' | 'env' | 'runSeparately' | 'interrupted'
>

interface UiStart {
  /** Whether the mouse is enabled at the start. */
  mouse: boolean
  /** How the rows of the first page are sorted. */
  order?: RowOrder
}

/** Shows the pages until the person leaves. */
export async function runUi(given: UiEnvironment, pages: readonly AnyPage[], how: UiStart): Promise<void> {
  const { language, env } = given
  const { stdin, stdout } = given.terminal.streams
  const connection = await given.connection()
  const { client } = connection
  const first = await firstRows(client)
  const pulse = createPulse()
  const ports: UiPagePorts = { client, language, money: await given.money(), pulse }
  const ended = new AbortController()
  const signal = given.interrupted()
  pulse.add(first.items)
  const screen = new InkScreenStream(stdout)
  const size = () => ({ columns: screen.columns, rows: screen.rows })
  let redraw = () => {}
  const driver = createDriver({
    pages,
    ports,
    label: (connection.via === 'remote' ? connection.label : HERE[connection.via])[language],
    size,
    paint: createPainter(supportsTerminalColor(stdout, env)),
    command: (words, stopped) => given.runSeparately(words, stopped),
    complete: completeWords(given),
    ...(how.order ? { order: how.order } : {}),
    editor: (name, text) =>
      screen.lend(async () => {
        const takeKeys = await releaseKeys(stdin)
        return editTextInEditor(given, name, text).finally(() => {
          takeKeys()
          screen.mouse(driver.state.mouse)
        })
      }),
    copy: (text) => stdout.write(copySequence(text)),
    mouse: (on) => screen.mouse(on),
    quit: () => ended.abort(),
    changed: () => redraw(),
  })
  const following = (async () => {
    const { cutOff } = driver
    const how = { began: () => cutOff(undefined), cut: cutOff, signal: ended.signal }
    for await (const received of streamNewRows({ client: async () => client, last: first.items[0]?.id ?? 0, ...how }))
      if ('row' in received) pulse.add([received.row])
  })()
  const onChange = (drawn: () => void) => {
    redraw = drawn
    return () => (redraw = () => {})
  }
  const app = () => <UiApp driver={driver} language={language} size={size()} onChange={onChange} />
  const instance = render(app(), {
    stdin,
    stdout: screen as unknown as NodeJS.WriteStream,
    // Ink passes whole frames; the screen writes only the differences.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  const beating = setInterval(driver.beat, BEAT_MS)
  const rerender = () => instance.rerender(app())
  screen.on('resize', rerender)
  signal.addEventListener('abort', () => ended.abort(), { once: true })
  if (how.mouse) driver.press({ character: 'M' })
  void driver.start()
  await new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve(), { once: true }))
  clearInterval(beating)
  driver.stop()
  instance.unmount()
  screen.leave()
  await following
}

/** Stops reading keys, so that another program gets all of them. Returns the function that reads them again. */
async function releaseKeys(stdin: NodeJS.ReadStream): Promise<() => void> {
  const listeners = stdin.listeners('readable') as (() => void)[]
  stdin.removeAllListeners('readable')
  stdin.setRawMode(false)
  // Node stops reading a terminal only when a flowing stream is paused; it notices the removed listeners a tick later.
  await new Promise((resolve) => setImmediate(resolve))
  stdin.resume()
  stdin.pause()
  return () => {
    stdin.setRawMode(true)
    for (const listener of listeners) stdin.on('readable', listener)
  }
}

/** Completes command lines from the table of all commands, which is built at the first Tab. */
function completeWords({ commands, language }: UiEnvironment): NonNullable<DriverOptions['complete']> {
  let table: CompletionTable | undefined
  return async (line) => {
    table ??= toCompletionTable(commands, globalOptions, {})
    return findCandidates(table, line, language === 'en' ? 0 : 1).candidates.map(({ value }) => value)
  }
}

/** Without a server, this process owns the data folder exclusively. */
const HERE = {
  socket: words('this machine'),
  process: words('this machine, no server'),
}
const NOT_SET_UP = words('This Weir is not set up yet: run `weir init`.')
const FOR_ADMINISTRATORS = words(
  '`weir ui` is for administrators. All users can use `weir tokens`, `weir usage` and `weir ledger show`.',
)

/** Returns the latest calls. @throws Refusal if the person may not see them, or no gateway answers */
async function firstRows(client: WeirClient) {
  const { status: isSetUp } = await client.site.setupStatus({})
  if (!isSetUp) throw new GatewayRefusal(NOT_SET_UP, 'setup.missing')
  const [rows, { role }] = await Promise.all([client.logs.list({ p: 1, page_size: FIRST_ROWS }), client.users.self()])
  if (role < USER_ROLE.admin) throw new GatewayRefusal(FOR_ADMINISTRATORS, 'access.forbidden')
  return rows
}
