// A program in a real terminal: tmux holds it, types into it and reads what is on its screen.
import { execFileSync } from 'node:child_process'
import { until, binary } from './terminal.ts'

const tmux = (...args: string[]) => execFileSync('tmux', ['-L', 'weir-test', ...args], { encoding: 'utf8' })

export interface Pane {
  /** Named keys as tmux calls them, or text. */
  keys(...typed: string[]): void
  lines(): string[]
  /** Waits until the text is on the screen. */
  sees(text: string | RegExp): Promise<void>
  resize(columns: number, rows: number): void
  /** Seconds of CPU that the program itself has used. */
  cpuSeconds(): number
  close(): void
}

/** Is tmux there? It is no part of the packages. */
export function hasTmux(): boolean {
  try {
    return tmux('-V') !== ''
  } catch {
    return false
  }
}

/** Starts the built weir with nothing but these variables. */
export function openPane(args: readonly string[], env: Record<string, string>, columns: number, rows: number): Pane {
  const name = `weir-${process.pid}-${columns}x${rows}`
  const given = Object.entries({ TERM: 'xterm-256color', PATH: process.env.PATH ?? '', ...env })
  const words = ['env', '-i', ...given.map(([key, value]) => `${key}=${value}`), process.execPath, binary, ...args]
  tmux('new-session', '-d', '-s', name, '-x', String(columns), '-y', String(rows), words.map(quoted).join(' '))
  const pid = tmux('display-message', '-p', '-t', name, '#{pane_pid}').trim()
  const lines = () => tmux('capture-pane', '-p', '-t', name).replace(/\n$/, '').split('\n')
  return {
    keys: (...typed) => void tmux('send-keys', '-t', name, ...typed),
    lines,
    async sees(text) {
      const isThere = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen))
      await until(() => isThere(lines().join('\n')), 30_000).catch(() => {
        throw new Error(`waited in vain for “${text}” on\n${lines().join('\n')}`)
      })
    },
    resize: (width, height) => void tmux('resize-window', '-t', name, '-x', String(width), '-y', String(height)),
    cpuSeconds: () => cpuOf(pid),
    close: () => void tmux('kill-session', '-t', name),
  }
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

const TICKS = 100

/** User and system time of a process, from the kernel's table. */
function cpuOf(pid: string): number {
  const [, rest = ''] = execFileSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8' }).split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}
