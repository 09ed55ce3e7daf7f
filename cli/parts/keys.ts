// Keys as a terminal sends them. A chunk may hold many (pasted text, typing ahead), so it is split first.
import { useStdin } from 'ink'
import { useEffect, useRef } from 'react'

/** One key: a named one, or a character. */
export type PressedKey =
  | 'enter'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'clear'
  | 'pageUp'
  | 'pageDown'
  | 'back'
  | 'cancel'
  | 'tab'
  | 'save'
  | 'editor'
  | { character: string }

const SEQUENCES: Record<string, PressedKey> = {
  '\u001B[A': 'up',
  '\u001B[B': 'down',
  '\u001B[C': 'right',
  '\u001B[D': 'left',
  '\u001BOA': 'up',
  '\u001BOB': 'down',
  '\u001BOC': 'right',
  '\u001BOD': 'left',
  '\u001B[H': 'home',
  '\u001B[F': 'end',
  '\u001B[1~': 'home',
  '\u001B[4~': 'end',
  '\u001B[3~': 'delete',
  '\u001B[5~': 'pageUp',
  '\u001B[6~': 'pageDown',
  '\u001B[Z': 'back',
  '\u001B': 'back',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007F': 'backspace',
  '\b': 'backspace',
  '\u0001': 'home',
  '\u0005': 'end',
  '\u0015': 'clear',
  '\u0003': 'cancel',
  '\u0004': 'cancel',
  '\u0013': 'save',
  '\u000F': 'editor',
}

// A complete escape sequence, known or not; otherwise one character.
const TOKEN = /\u001B\[[0-?]*[ -/]*[@-~]|\u001BO[A-Z]|\r\n|[\s\S]/gu

/** Parses the keys of a chunk, in order; unsupported keys are dropped. */
export function parseKeyPresses(chunk: string): PressedKey[] {
  return (chunk.match(TOKEN) ?? []).flatMap((token): PressedKey[] => {
    const known = SEQUENCES[token === '\r\n' ? '\r' : token]
    if (known) return [known]
    return token.length > 2 || /\p{Cc}/u.test(token) ? [] : [{ character: token }]
  })
}

/** A mouse event and its position on the screen, from 0. */
export interface MouseEventPoint {
  what: 'click' | 'wheelUp' | 'wheelDown'
  column: number
  row: number
}

// Button, column and row as terminals report them (SGR 1006): a press ends with M.
const REPORT = /\u001B\[<(\d+);(\d+);(\d+)M/g
const BUTTONS: Record<string, MouseEventPoint['what']> = { 0: 'click', 64: 'wheelUp', 65: 'wheelDown' }

/** Parses the mouse events of a chunk, in order. */
export const parseMouseEvents = (chunk: string): MouseEventPoint[] =>
  [...chunk.matchAll(REPORT)].flatMap(([, button = '', column, row]) => {
    const what = BUTTONS[button]
    return what ? [{ what, column: Number(column) - 1, row: Number(row) - 1 }] : []
  })

/** Calls `handle` for every key while the component is mounted, and `point` for every mouse event. */
export function useKeyPresses(handle: (key: PressedKey) => void, point?: (pointed: MouseEventPoint) => void): void {
  const { setRawMode, internal_eventEmitter: emitter } = useStdin()
  const latest = useRef(handle)
  latest.current = handle
  const pointing = useRef(point)
  pointing.current = point
  useEffect(() => {
    const onInput = (chunk: string | Buffer) => {
      for (const key of parseKeyPresses(String(chunk))) latest.current(key)
      for (const pointed of parseMouseEvents(String(chunk))) pointing.current?.(pointed)
    }
    setRawMode(true)
    emitter.on('input', onInput)
    return () => {
      emitter.off('input', onInput)
      setRawMode(false)
    }
  }, [setRawMode, emitter])
}
