// The newest answers of open WebSockets, in memory: `previous_response_id` may name them although neither a provider nor Weir
// stores them. Each user and the process have a budget of bytes; above it the least recently used answer is removed.
import type { AnswerMemory, RememberedAnswer } from '../core/index.ts'

const MIB = 1024 * 1024
const MOST_OF_USER = 64 * MIB
const MOST_OF_ALL = 512 * MIB

/** An answer as bytes: as objects, a conversation would take several times the memory. */
interface StoredSocketAnswer {
  id: string
  user: number
  lane: string
  owner: LaneAnswers
  bytes: Buffer
}

/** The answers of all sockets of this process. */
export class SocketMemory {
  /** The least recently used first. */
  private readonly entries = new Set<StoredSocketAnswer>()
  private readonly bytesOfUser = new Map<number, number>()
  private bytes = 0
  private readonly mostOfUser: number
  private readonly mostOfAll: number

  /** The budgets of a user and of the process are in bytes. */
  constructor(mostOfUser = MOST_OF_USER, mostOfAll = MOST_OF_ALL) {
    this.mostOfUser = mostOfUser
    this.mostOfAll = mostOfAll
  }

  /** Creates the memory of one socket, with one answer for each of its lanes. */
  open(user: number): LaneAnswers {
    return new LaneAnswers(this, user)
  }

  add(entry: StoredSocketAnswer): void {
    this.entries.add(entry)
    this.count(entry, entry.bytes.length)
    for (const oldest of this.entries) {
      const ofUser = this.bytesOfUser.get(entry.user) ?? 0
      if (ofUser <= this.mostOfUser && this.bytes <= this.mostOfAll) return
      if (oldest.user === entry.user || this.bytes > this.mostOfAll) oldest.owner.drop(oldest)
    }
  }

  /** Marks an answer as the most recently used. */
  use(entry: StoredSocketAnswer): void {
    this.entries.delete(entry)
    this.entries.add(entry)
  }

  remove(entry: StoredSocketAnswer): void {
    if (this.entries.delete(entry)) this.count(entry, -entry.bytes.length)
  }

  private count({ user }: StoredSocketAnswer, bytes: number): void {
    this.bytes += bytes
    const total = (this.bytesOfUser.get(user) ?? 0) + bytes
    if (total > 0) this.bytesOfUser.set(user, total)
    else this.bytesOfUser.delete(user)
  }
}

/** The newest answer of each lane of one socket. */
export class LaneAnswers {
  private readonly byLane = new Map<string, StoredSocketAnswer>()
  private readonly all: SocketMemory
  private readonly user: number

  constructor(all: SocketMemory, user: number) {
    this.all = all
    this.user = user
  }

  /** Returns the answers that a call of this lane may continue. The answer of the call becomes the newest of the lane. */
  lane(lane: string): AnswerMemory {
    return {
      find: (id) => this.find(id),
      keep: (answer) => this.keep(lane, answer),
    }
  }

  private find(id: string): RememberedAnswer | undefined {
    const entry = this.findEntry(id)
    if (!entry) return undefined
    this.all.use(entry)
    return JSON.parse(entry.bytes.toString()) as RememberedAnswer
  }

  private keep(lane: string, answer: RememberedAnswer): void {
    const before = this.byLane.get(lane)
    if (before) this.drop(before)
    const { response, input } = answer.answer
    // Only the parts of the response that belong to the conversation.
    const short = { ...answer, answer: { input, response: { id: response.id, output: response.output } } }
    const entry = { id: answer.id, user: this.user, lane, owner: this, bytes: Buffer.from(JSON.stringify(short)) }
    this.byLane.set(lane, entry)
    this.all.add(entry)
  }

  /** Removes an answer that could not be continued. */
  forget(id: string): void {
    const entry = this.findEntry(id)
    if (entry) this.drop(entry)
  }

  /** Removes an answer because a budget is exceeded or its lane has a newer one. */
  drop(entry: StoredSocketAnswer): void {
    this.all.remove(entry)
    if (this.byLane.get(entry.lane) === entry) this.byLane.delete(entry.lane)
  }

  close(): void {
    for (const entry of this.byLane.values()) this.all.remove(entry)
    this.byLane.clear()
  }

  private findEntry(id: string): StoredSocketAnswer | undefined {
    for (const entry of this.byLane.values()) if (entry.id === id) return entry
    return undefined
  }
}
