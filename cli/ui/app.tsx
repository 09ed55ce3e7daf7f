// The screen of `weir ui`: keys change its state, wishes are carried out, and what is seen is drawn anew at most so often.
import { Box } from 'ink'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { words } from '../../core/errors.ts'
import { failureOf } from '../failure.ts'
import { inLanguage } from '../language.ts'
import { Form } from '../parts/form.tsx'
import type { Answers } from '../parts/form-state.ts'
import { useKeys, type Key } from '../parts/keys.ts'
import { Painted } from '../parts/painted.tsx'
import { Speaking } from '../parts/speaking.ts'
import { newMemory, recordLines, type Tone } from '../table.ts'
import { shownValue } from '../view.ts'
import { frameLines, roomFor } from './frame.ts'
import type { AnyPage, Loaded, Opened, Ports } from './page.ts'
import { goToPage, placeOf, press, startState, type Act, type UiState, type Wish } from './state.ts'

export interface AppProps {
  pages: readonly AnyPage[]
  ports: Ports
  label: string
  size: { columns: number; rows: number }
  paint(text: string, tone: Tone): string
  /** Rows of the log keep coming into the pulse; gives how many there were, to draw only what is new. */
  beat(): number
  /** Runs a command line of weir; gives its output. */
  command(text: string): Promise<{ text: string; bad: boolean }>
  copy(text: string): void
  onQuit(): void
  now?(): number
}

/** At most so often is anything drawn that nobody has pressed a key for. */
const BEAT_MS = 500

export function App({ pages, ports, label, size, paint, beat, command, copy, onQuit, now = Date.now }: AppProps) {
  const [state, setState] = useState<UiState>(() => startState(pages))
  const [loaded, setLoaded] = useState<ReadonlyMap<number, Loaded<unknown>>>(new Map())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const memories = useRef(new Map<string, ReturnType<typeof newMemory>>())
  const latest = useRef(state)
  latest.current = state
  const { language } = ports
  const page = pages[state.page]
  const seen = loaded.get(state.page)

  const change = useCallback((next: UiState) => {
    latest.current = next
    setState(next)
  }, [])
  const tell = useCallback(
    (error: unknown) => {
      const text = failureOf(error, language)?.message ?? String(error)
      change({ ...latest.current, busy: false, told: { text, bad: true } })
    },
    [change, language],
  )
  const load = useCallback(async () => {
    const at = latest.current.page
    const one = pages[at]
    if (!one) return
    const { filter } = placeOf(latest.current)
    const found = await one.load(ports, filter)
    // Somebody who has typed on meanwhile gets what belongs to the new filter.
    if (latest.current.places[at]?.filter === filter) setLoaded((known) => new Map(known).set(at, found))
  }, [pages, ports])

  const { filter } = placeOf(state)
  useEffect(() => {
    let waiting: NodeJS.Timeout | undefined
    let gone = false
    // One load after the other, however long each takes.
    const again = () =>
      load()
        .catch(tell)
        .finally(() => {
          if (!gone && page && page.every_ms > 0) waiting = setTimeout(again, page.every_ms)
        })
    void again()
    return () => {
      gone = true
      clearTimeout(waiting)
    }
  }, [load, tell, page, filter])

  const beaten = useRef(-1)
  useEffect(() => {
    const timer = setInterval(() => {
      const count = beat()
      if (count === beaten.current) return
      beaten.current = count
      redraw()
      if (page?.every_ms === 0) load().catch(tell)
    }, BEAT_MS)
    return () => clearInterval(timer)
  }, [beat, page, load, tell])

  async function carryOut(wish: Wish): Promise<void> {
    const current = latest.current
    const one = pages[current.page]
    if (!one) return
    if (wish.kind === 'quit') return onQuit()
    if (wish.kind === 'load') return load()
    if (wish.kind === 'copy') {
      const text = one.copied(wish.row as never)
      copy(text)
      return change({ ...current, told: { text: words(`Copied ${text}`, `已复制 ${text}`), bad: false } })
    }
    if (wish.kind === 'open') return change({ ...current, over: await opened(one, wish.row as never) })
    if (wish.kind === 'ask') return ask(one, { key: wish.key, row: wish.row, answers: {} })
    if (wish.kind === 'do') return act(one, wish.act)
    const place = pages.findIndex(({ name }) => name === wish.text)
    if (place >= 0) {
      const [next] = goToPage(current, place)
      return change(next)
    }
    if (wish.text === 'q' || wish.text === 'quit') return onQuit()
    change({ ...current, busy: true })
    const { text, bad } = await command(wish.text)
    const lines = text.replace(/\n+$/, '').split('\n')
    if (lines.length < 2) change({ ...latest.current, busy: false, told: { text: lines[0] ?? '', bad } })
    else change({ ...latest.current, busy: false, over: { kind: 'text', title: wish.text, lines, first: 0 } })
  }

  async function opened(one: AnyPage, row: never) {
    const fields = Object.values(one.view).map((each): Opened[number] => [
      each.title,
      shownValue(each, row, { language, money: ports.money }),
    ])
    const more = one.opened ? await one.opened(ports, row) : []
    const cells = [...fields, ...more].map(([title, text]) => [inLanguage(title, language), text, undefined] as const)
    const lines = recordLines(cells, { width: size.columns - 2, paint })
    return { kind: 'text', title: `${one.title[language]}: ${one.copied(row)}`, lines, first: 0 } as const
  }

  /** First what must be filled in, then the question whether it shall be done. */
  async function ask(one: AnyPage, wished: Act): Promise<void> {
    const action = one.actions.find(({ key }) => key === wished.key)
    const cannot = action?.unless?.(wished.row as never)
    if (cannot) return change({ ...latest.current, told: { text: cannot, bad: true } })
    if (!action) return
    const questions = action.form ? await action.form(wished.row as never, ports) : []
    if (questions.length === 0) return sure(one, wished)
    change({ ...latest.current, over: { kind: 'form', title: action.name, questions, act: wished } })
  }

  function sure(one: AnyPage, wished: Act): void {
    const action = one.actions.find(({ key }) => key === wished.key)
    const question = action?.sure(wished.row as never, wished.answers)
    if (question) change({ ...latest.current, over: { kind: 'sure', question, act: wished } })
  }

  async function act(one: AnyPage, wished: Act): Promise<void> {
    const action = one.actions.find(({ key }) => key === wished.key)
    const done = await action?.run(ports, wished.row as never, wished.answers)
    await load()
    change({ ...latest.current, busy: false, ...(done ? { told: { text: done, bad: false } } : {}) })
  }

  function onKey(key: Key): void {
    const current = latest.current
    const rows = loaded.get(current.page)
    const room = roomFor({ ...size, pages, state: current, ports, loaded: rows })
    const [next, wish] = press(current, key, { pages, rows: rows?.rows ?? [], room })
    change(next)
    if (wish) carryOut(wish).catch(tell)
  }

  function onFormEnd(answers: Answers | null): void {
    const { over, ...current } = latest.current
    change(current)
    if (answers && page && over?.kind === 'form') sure(page, { ...over.act, answers })
  }

  // Widths are remembered for each page, size and filter: what stood under one another goes on doing so.
  const remembered = `${state.page} ${size.columns} ${filter}`
  const memory = memories.current.get(remembered) ?? newMemory()
  memories.current.set(remembered, memory)
  const lines = frameLines({ ...size, language, label, now: now(), pages, state, loaded: seen, ports, memory, paint })
  const { over } = state
  return (
    <Speaking.Provider value={language}>
      <Box flexDirection="column" width={size.columns} height={size.rows}>
        {over?.kind === 'form' ? (
          <>
            <Painted lines={lines.slice(0, 2)} />
            <Box paddingLeft={1} flexGrow={1} overflow="hidden">
              <Form
                key={over.act.key}
                title={inLanguage(over.title, language)}
                questions={over.questions}
                onEnd={onFormEnd}
              />
            </Box>
            <Painted lines={lines.slice(-1)} />
          </>
        ) : (
          <>
            <Keys onKey={onKey} />
            <Painted lines={lines} />
          </>
        )}
      </Box>
    </Speaking.Provider>
  )
}

/** Listens while nothing else does. */
function Keys({ onKey }: { onKey(key: Key): void }) {
  useKeys(onKey)
  return null
}
