// The whole terminal as a screen of lines: only those that have changed are written, so that nothing flickers.
import { EventEmitter } from 'node:events'
import stringWidth from 'fast-string-width'

// Lines do not go on below their end: where the terminal gets narrower, the last frame is wider than it for a moment.
const ENTER = '\u001B[?1049h\u001B[?7l\u001B[?25l\u001B[H\u001B[2J'
const LEAVE = '\u001B[?25h\u001B[?7h\u001B[?1049l'
/** Presses, releases and the wheel, with their places as numbers. */
const MOUSE = ['\u001B[?1000h\u001B[?1006h', '\u001B[?1006l\u001B[?1000l'] as const
/** Terminals that know it show what stands between at once; the others leave it out. */
const TOGETHER = ['\u001B[?2026h', '\u001B[?2026l'] as const

interface Out {
  write(text: string): unknown
  columns?: number
  rows?: number
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** What Ink draws on: it hands over whole frames. */
export class Screen extends EventEmitter {
  readonly isTTY = true
  private readonly out: Out
  private lines: string[] = []

  constructor(out: Out) {
    super()
    this.out = out
    out.on('resize', this.resized)
    // Whatever ends the process, the terminal is given back.
    process.once('exit', this.restore)
    out.write(ENTER)
  }

  get columns(): number {
    return this.out.columns ?? 80
  }

  get rows(): number {
    return this.out.rows ?? 24
  }

  /** Takes a frame and writes what is new in it. */
  write(frame: string): boolean {
    const lines = frame.split('\n').slice(0, this.rows)
    const height = Math.max(lines.length, this.lines.length)
    const changed = Array.from({ length: height }, (_, at) => at).filter(
      (at) => (lines[at] ?? '') !== (this.lines[at] ?? ''),
    )
    this.lines = lines
    if (changed.length > 0) {
      const written = changed.map((at) => `\u001B[${at + 1};1H\u001B[0m${this.whole(lines[at] ?? '')}`)
      this.out.write(TOGETHER[0] + written.join('') + TOGETHER[1])
    }
    return true
  }

  /** A line and what is blank behind it; behind one that fills the terminal an erasing would take its last character. */
  private whole(line: string): string {
    return stringWidth(line) < this.columns ? `${line}\u001B[0m\u001B[K` : `${line}\u001B[0m`
  }

  /** Has the terminal tell what the mouse does, or no longer. */
  mouse(on: boolean): void {
    this.out.write(MOUSE[on ? 0 : 1])
  }

  /** Gives the terminal back as it was. */
  leave(): void {
    this.out.off('resize', this.resized)
    process.off('exit', this.restore)
    this.restore()
  }

  private readonly restore = () => void this.out.write(MOUSE[1] + LEAVE)

  private readonly resized = () => {
    this.lines = []
    this.out.write('\u001B[2J')
    this.emit('resize')
  }
}

/** The sequence that has the terminal copy a text to the clipboard (OSC 52), also from afar. */
export const copySequence = (text: string): string => `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`
