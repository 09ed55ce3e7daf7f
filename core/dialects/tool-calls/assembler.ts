// Assembles the tool calls of one answer from the provider's deltas. Providers omit indexes, use the same one for all
// calls, repeat ids and names, or send several JSON values in a row.
import type { ModelEvent } from '../answers/model-event.ts'

const BLANK = /\s/

/** Follows one JSON value character by character, without storing it. */
export class JsonProgress {
  private state: 'before' | 'inside' | 'whole' | 'other' = 'before'
  private depth = 0
  private inText = false
  private escaped = false

  /** True if only blanks have come. */
  get empty(): boolean {
    return this.state === 'before'
  }

  /** True if the object or list is complete, followed only by blanks. */
  get whole(): boolean {
    return this.state === 'whole'
  }

  /**
   * Takes the next piece.
   * @returns the number of its characters that belong to this value: fewer than all if another object or list starts in it
   */
  take(piece: string): number {
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at]!
      if (this.state === 'inside') this.follow(letter)
      else if (this.state === 'other') return piece.length
      else if (!BLANK.test(letter)) {
        const opens = letter === '{' || letter === '['
        if (this.state === 'whole' && opens) return at
        // The end of other values, or of text after a value, is unknown.
        this.state = this.state === 'before' && opens ? 'inside' : 'other'
        if (opens) this.depth++
      }
    }
    return piece.length
  }

  private follow(letter: string): void {
    if (this.escaped) this.escaped = false
    else if (this.inText) {
      if (letter === '\\') this.escaped = true
      else if (letter === '"') this.inText = false
    } else if (letter === '"') this.inText = true
    else if (letter === '{' || letter === '[') this.depth++
    else if ((letter === '}' || letter === ']') && --this.depth === 0) this.state = 'whole'
  }
}

type AssembledCall = Extract<ModelEvent, { type: 'tool_call' }>

/** A delta of a call as its provider sends it. */
export interface ToolCallDelta extends Omit<AssembledCall, 'index'> {
  /** The provider's index of the call; undefined if it sends none. */
  index?: number
  /** Its place among several pieces that come together without indexes. */
  position?: number
  /** A whole call of an answer that is not streamed: not a piece of another. */
  isWhole?: true
}

/** An event from a reader, before the calls are assembled. */
export type UnassembledEvent = Exclude<ModelEvent, { type: 'tool_call' }> | ToolCallDelta

interface OpenCall {
  piece: Pick<ToolCallDelta, 'index' | 'position' | 'freeform'>
  id?: string
  name?: string
  progress: JsonProgress
  /** Its index in the output; undefined while it waits for its name. */
  place?: number
  /** The arguments received while it waited. */
  waiting: string
  signature?: string
}

/**
 * Creates a function that returns the events with calls numbered from 0 in each choice: the first event of a call has
 * its id and name, once, and the others have more of its arguments.
 */
export function createCallAssembler(): (event: UnassembledEvent) => ModelEvent[] {
  const choices = new Map<number, ChoiceCalls>()
  return (event) => {
    if (event.type === 'end') return [...[...choices.values()].flatMap((calls) => calls.rest()), event]
    if (event.type !== 'tool_call' && event.type !== 'finish') return [event]
    let calls = choices.get(event.choice)
    if (event.type === 'finish') {
      if (!calls) return [event]
      // Many servers use a plain stop for answers that call tools.
      const reason = event.reason === 'stop' ? 'tool_calls' : event.reason
      return [...calls.rest(), { ...event, reason }]
    }
    if (!calls) choices.set(event.choice, (calls = new ChoiceCalls(event.choice)))
    return calls.take(event)
  }
}

/** The calls of one choice. */
class ChoiceCalls {
  private readonly choice: number
  private readonly calls: OpenCall[] = []
  /** The call of the last piece, and its arguments. */
  private last: OpenCall | undefined
  private text = ''
  private places = 0

  constructor(choice: number) {
    this.choice = choice
  }

  take(piece: ToolCallDelta): ModelEvent[] {
    const known = piece.isWhole ? undefined : this.find(piece)
    if (known && this.repeats(known, piece)) return []
    const call = known && continues(known, piece) ? known : this.open(piece)
    if (call.id === undefined && call.place === undefined && this.isFree(piece.id)) call.id = piece.id
    call.name ??= piece.name
    return this.say(call, piece.arguments, piece.signature)
  }

  /** Releases the waiting calls when the choice ends. Pieces without a name belong to the last unfinished call. */
  rest(): ModelEvent[] {
    return this.calls
      .filter((call) => call.place === undefined)
      .flatMap((call) => {
        const unfinished = this.calls.findLast((one) => one.place !== undefined && !one.progress.whole)
        const { waiting } = call
        if (call.name !== undefined || !unfinished) return this.begin(call)
        call.waiting = ''
        return waiting === '' ? [] : this.say(unfinished, waiting)
      })
  }

  private find({ id, name, index, position }: ToolCallDelta): OpenCall | undefined {
    const named = id === undefined ? undefined : this.calls.findLast((call) => call.id === id)
    if (named) return named
    if (index !== undefined) {
      const counted = this.calls.filter((call) => call.piece.index === index)
      return counted.findLast(({ progress }) => !progress.whole) ?? counted.at(-1)
    }
    if (position === undefined) return this.last
    const placed = this.calls.findLast((call) => call.piece.position === position)
    return placed ?? (name === undefined ? this.calls[position] : undefined)
  }

  /** Is this a repeated complete call? Some servers send one. */
  private repeats(call: OpenCall, piece: ToolCallDelta): boolean {
    if (!call.progress.whole || piece.id === undefined || piece.id !== call.id) return false
    return piece.arguments !== '' && call === this.last && piece.arguments === this.text
  }

  private open({ index, position, freeform }: OpenCall['piece']): OpenCall {
    const call: OpenCall = { piece: { index, position, freeform }, progress: new JsonProgress(), waiting: '' }
    this.calls.push(call)
    return call
  }

  private isFree(id: string | undefined): boolean {
    return !this.calls.some((call) => call.id === id)
  }

  private say(call: OpenCall, text: string, signature?: string): ModelEvent[] {
    if (this.last !== call) this.text = ''
    this.last = call
    const own = call.piece.freeform ? text.length : call.progress.take(text)
    const more = text.slice(0, own)
    this.text += more
    const events = this.emit(call, more, signature)
    if (own === text.length) return events
    // Another value after a complete one is another call of the same tool.
    const next = this.open(call.piece)
    next.name = call.name
    return [...events, ...this.say(next, text.slice(own))]
  }

  private emit(call: OpenCall, text: string, signature?: string): ModelEvent[] {
    const { place: index } = call
    if (index !== undefined) {
      if (text === '' && !signature) return []
      const signed = signature ? { signature } : {}
      return [{ type: 'tool_call', index, choice: this.choice, arguments: text, ...signed }]
    }
    call.waiting += text
    call.signature ??= signature
    // An id may come after the name, but not after arguments.
    const known = call.name !== undefined && (call.id !== undefined || call.waiting !== '')
    return known ? this.begin(call) : []
  }

  private begin(call: OpenCall): ModelEvent[] {
    const { id, name, waiting, signature, piece } = call
    call.place = this.places++
    call.waiting = ''
    return [
      {
        type: 'tool_call',
        index: call.place,
        choice: this.choice,
        ...(id === undefined ? {} : { id }),
        name: name ?? '',
        arguments: waiting,
        ...(signature ? { signature } : {}),
        ...(piece.freeform ? { freeform: true } : {}),
      },
    ]
  }
}

/** Does the piece continue this call, or start another? */
function continues({ id, name, progress }: OpenCall, piece: ToolCallDelta): boolean {
  const more = piece.arguments.trim() !== ''
  if (piece.id !== undefined && piece.id === id) return !(progress.whole && more)
  const renamed = piece.name !== undefined && name !== undefined && piece.name !== name
  if (renamed) return false
  // A new id with a name is a new call. Some servers generate an id for each delta, without a name.
  if (piece.id !== undefined && id !== undefined) return piece.name === undefined && !progress.whole
  if (piece.name === undefined && piece.id === undefined) return true
  return !(progress.whole && (more || piece.id !== undefined))
}
