// The newest answers of open WebSockets, which `previous_response_id` may name although neither a provider nor Weir keeps them.
// They are in the memory of this process alone. Each user has a budget of bytes, and so has the process; the answer that has been
// unused for the longest goes first.
import type { AnswerMemory, RememberedAnswer } from '../core/index.ts'

const MIB = 1024 * 1024
const MOST_OF_USER = 64 * MIB
const MOST_OF_ALL = 512 * MIB

/** An answer as bytes: a conversation as objects takes several times as much. */
interface Entry {
  id: string
  user: number
  lane: string
  owner: LaneAnswers
  bytes: Buffer
}

/** The answers of all sockets of this process. */
export class SocketMemory {
  /** The longest unused first. */
  private readonly entries = new Set<Entry>()
  private readonly bytesOfUser = new Map<number, number>()
  private bytes = 0
  private readonly mostOfUser: number
  private readonly mostOfAll: number

  /** Units: bytes. */
  constructor(mostOfUser = MOST_OF_USER, mostOfAll = MOST_OF_ALL) {
    this.mostOfUser = mostOfUser
    this.mostOfAll = mostOfAll
  }

  /** The answers of one socket, one for each of its lanes. */
  open(user: number): LaneAnswers {
    return new LaneAnswers(this, user)
  }

  add(entry: Entry): void {
    this.entries.add(entry)
    this.count(entry, entry.bytes.length)
    for (const oldest of this.entries) {
      const ofUser = this.bytesOfUser.get(entry.user) ?? 0
      if (ofUser <= this.mostOfUser && this.bytes <= this.mostOfAll) return
      if (oldest.user === entry.user || this.bytes > this.mostOfAll) oldest.owner.drop(oldest)
    }
  }

  /** It becomes the newest. */
  use(entry: Entry): void {
    this.entries.delete(entry)
    this.entries.add(entry)
  }

  remove(entry: Entry): void {
    if (this.entries.delete(entry)) this.count(entry, -entry.bytes.length)
  }

  private count({ user }: Entry, bytes: number): void {
    this.bytes += bytes
    const left = (this.bytesOfUser.get(user) ?? 0) + bytes
    if (left > 0) this.bytesOfUser.set(user, left)
    else this.bytesOfUser.delete(user)
  }
}

/** The newest answer of each lane of one socket. */
export class LaneAnswers {
  private readonly byLane = new Map<string, Entry>()
  private readonly all: SocketMemory
  private readonly user: number

  constructor(all: SocketMemory, user: number) {
    this.all = all
    this.user = user
  }

  /** The answers that a call of this lane may continue; its own answer becomes the newest of the lane. */
  lane(lane: string): AnswerMemory {
    return {
      find: (id) => this.find(id),
      keep: (answer) => this.keep(lane, answer),
    }
  }

  private find(id: string): RememberedAnswer | undefined {
    const entry = this.entryOf(id)
    if (!entry) return undefined
    this.all.use(entry)
    return JSON.parse(entry.bytes.toString()) as RememberedAnswer
  }

  private keep(lane: string, answer: RememberedAnswer): void {
    const before = this.byLane.get(lane)
    if (before) this.drop(before)
    const { response, input } = answer.answer
    // Of the response only what a conversation consists of.
    const short = { ...answer, answer: { input, response: { id: response.id, output: response.output } } }
    const entry = { id: answer.id, user: this.user, lane, owner: this, bytes: Buffer.from(JSON.stringify(short)) }
    this.byLane.set(lane, entry)
    this.all.add(entry)
  }

  /** Removes an answer that could not be continued. */
  forget(id: string): void {
    const entry = this.entryOf(id)
    if (entry) this.drop(entry)
  }

  /** Its budget is spent, or a newer answer of its lane is there. */
  drop(entry: Entry): void {
    this.all.remove(entry)
    if (this.byLane.get(entry.lane) === entry) this.byLane.delete(entry.lane)
  }

  close(): void {
    for (const entry of this.byLane.values()) this.all.remove(entry)
    this.byLane.clear()
  }

  private entryOf(id: string): Entry | undefined {
    for (const entry of this.byLane.values()) if (entry.id === id) return entry
    return undefined
  }
}
