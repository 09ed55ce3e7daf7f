// Where charges wait on the disk until they are booked: each is written once, whoever is killed when, and booked once,
// because whoever books it keeps its place in the same transaction. Reading passes over what cannot be read, and says so.
import type { JournalFile, JournalFolder } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import { GatewayError } from '../errors.ts'
import { FrameWriter, HEADER, readFrames, UnknownJournal } from './frame.ts'
import { encodePendingCharge, decodePendingCharge, type PendingCharge, type JournaledCharge } from './owed.ts'

/** What a process left that is gone. */
export interface Left {
  file: string
  /** The journal that it is a part of. */
  journal: string
  owed: JournaledCharge[]
  /** It is booked: its file goes, or is put aside where a part of it could not be read. */
  done(): Promise<void>
}

export interface Journal {
  /** No other journal has it, ever. */
  readonly name: string
  /**
   * Resolves to the place of the first when all of these survive a crash; the others follow it. Rejects where they cannot be
   * written: the disk is full, say.
   */
  append(owed: readonly PendingCharge[]): Promise<number>
  /** Everything that this process keeps, in the order of coming; what comes meanwhile may be missing. */
  kept(): AsyncGenerator<JournaledCharge, void>
  /** All up to this place is booked: files with nothing else in them go, but the one that is written at. */
  passed(place: number): void
  /** All of it is booked: its files go. */
  clear(): Promise<void>
  /** @throws GatewayError journal.newer */
  left(): AsyncGenerator<Left>
  close(): Promise<void>
}

/** A file that has grown beyond this is followed by another. */
const FILE_BYTES = 16 * 1024 * 1024

export function createJournal(folder: JournalFolder, logger: Logger): Journal {
  /** Of this process, the oldest first, each with its last place; the last one is written at while `open` is there. */
  let files: { name: string; last: number }[] = []
  let open: { file: JournalFile; bytes: number } | undefined
  let last = 0
  const frames = new FrameWriter(folder.checksum)
  /** One writes at a time. */
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work)
    turn = done.catch(() => undefined)
    return done
  }

  async function append(owed: readonly PendingCharge[]): Promise<number> {
    const first = last + 1
    frames.begin(open ? NOTHING : HEADER)
    for (const each of owed) frames.add(encodePendingCharge(each, (last += 1)))
    const bytes = frames.written()
    if (!open) {
      const file = await folder.begin()
      files.push({ name: file.name, last })
      open = { file, bytes: 0 }
    }
    const file = files.at(-1)
    if (file) file.last = last
    try {
      await open.file.append(bytes)
    } catch (error) {
      await end()
      throw error
    }
    open.bytes += bytes.length
    if (open.bytes >= FILE_BYTES) await end()
    return first
  }

  async function end(): Promise<void> {
    const { file } = open ?? {}
    open = undefined
    await file?.close().catch(() => undefined)
  }

  async function remove(booked: readonly { name: string }[]): Promise<void> {
    try {
      for (const { name } of booked) await folder.remove(name)
    } catch (error) {
      // What is read again from it is found to be booked.
      logger.warn('journal: files of what is booked could not be removed', { error: String(error) })
    }
  }

  async function read(file: string, journal: string): Promise<{ owed: JournaledCharge[]; whole: boolean }> {
    const { payloads, damage } = readFrames(await folder.read(file), folder.checksum)
    for (const { kind, at, bytes } of damage) {
      if (kind === 'torn') logger.warn('journal: the last record was not written whole', { file, at, bytes })
      else logger.error('journal: bytes were changed and are passed over', { file, at, bytes })
    }
    const owed = payloads.map((payload) => ({ journal, ...decodePendingCharge(payload) }))
    return { owed, whole: damage.every(({ kind }) => kind === 'torn') }
  }

  return {
    name: folder.own,
    append: (owed) => inTurn(() => append(owed)),
    async *kept() {
      for (let at = 0; at < files.length; at += 1)
        yield* (await inTurn(() => read(files[at]?.name ?? '', folder.own))).owed
    },
    passed(place) {
      const [oldest] = files
      if (!oldest || oldest.last > place || (open && files.length === 1)) return
      const closed = open ? files.slice(0, -1) : files
      const booked = closed.filter(({ last }) => last <= place)
      files = files.slice(booked.length)
      void inTurn(() => remove(booked))
    },
    clear: () =>
      inTurn(async () => {
        await end()
        const booked = files
        files = []
        await remove(booked)
      }),
    async *left() {
      for (const { file, journal } of await folder.adopt()) {
        const found = await read(file, journal).catch(async (error: unknown) => {
          if (error instanceof UnknownJournal && error.newer) throw new GatewayError('journal.newer', { file })
          logger.error('journal: a file cannot be read and is put aside', {
            file: await folder.putAside(file),
            error: String(error),
          })
        })
        if (!found) continue
        const { owed, whole } = found
        yield {
          file,
          journal,
          owed,
          done: async () => void (await (whole ? folder.remove(file) : folder.putAside(file))),
        }
      }
    },
    close: () =>
      inTurn(async () => {
        await end()
        await folder.close()
      }),
  }
}

const NOTHING = new Uint8Array(0)
