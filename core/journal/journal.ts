// Stores charges on disk until they are booked. Each charge is written once and booked once, even if a process is
// killed: its place is saved in the transaction that books it. Reading skips and reports unreadable frames.
import { GatewayError } from '../errors.ts'
import type { JournalFile, JournalFolder } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import type { LedgerOperation } from '../quota/operation.ts'
import { FrameWriter, HEADER, readFrames, UnknownJournal } from './frame.ts'
import type { JournalPlace } from '../ports/journal.ts'

// The records of a journal: charges and releases that the ledger has yet to book, as JSON with their places.

/** The charge of a finished call, or the release of a failed one. */
export type PendingCharge = LedgerOperation & { kind: 'settle' | 'release' }

export interface JournaledCharge extends JournalPlace {
  charge: PendingCharge
}

/** A transaction hook cannot be stored as text. The module that added it repeats its charge after a restart. */
export const isJournalable = (charge: PendingCharge): boolean =>
  charge.kind === 'release' || charge.inTransaction === undefined

export const encodePendingCharge = (charge: PendingCharge, place: number): string =>
  JSON.stringify({ place, ...charge })

/** @throws SyntaxError or TypeError if the payload is not a pending charge */
export function decodePendingCharge(payload: Uint8Array): Omit<JournaledCharge, 'journal'> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  const { place = 0, ...charge } = JSON.parse(text) as PendingCharge & { place?: number }
  if ((charge.kind !== 'settle' && charge.kind !== 'release') || typeof charge.hold.id !== 'string')
    throw new TypeError('kind')
  return { place, charge: charge as PendingCharge }
}

/** The journal file of a process that no longer runs. */
export interface LeftJournal {
  file: string
  /** Name of the journal that the file belongs to. */
  journal: string
  charges: JournaledCharge[]
  /** Called once all of it is booked. Removes the file, or sets it aside if a part of it could not be read. */
  done(): Promise<void>
}

export interface Journal {
  /** Unique: no other journal ever has this name. */
  readonly name: string
  /**
   * Appends charges. Resolves to the place of the first one once all of them survive a crash; the others follow it.
   * Rejects if they cannot be written, for example because the disk is full.
   */
  append(charges: readonly PendingCharge[]): Promise<number>
  /**
   * Yields every charge that this process has stored, in order. Charges that are appended during the iteration may be
   * missing.
   */
  readAll(): AsyncGenerator<JournaledCharge, void>
  /**
   * Reports that everything up to this place is booked. Removes files that contain nothing else, except the one that is
   * being written.
   */
  markBooked(place: number): void
  /** Removes all files of this process, once everything is booked. */
  clear(): Promise<void>
  /** @throws GatewayError journal.newer */
  adoptLeft(): AsyncGenerator<LeftJournal>
  close(): Promise<void>
}

/** Size in bytes after which a new file is started. */
const FILE_BYTES = 16 * 1024 * 1024

export function createJournal(folder: JournalFolder, logger: Logger): Journal {
  /** Files of this process, oldest first, each with its last place. The last one is being written if `open` is set. */
  let files: { name: string; last: number }[] = []
  let open: { file: JournalFile; bytes: number } | undefined
  let last = 0
  const frames = new FrameWriter(folder.checksum)
  /** Serializes the writes. */
  let turn: Promise<unknown> = Promise.resolve()

  const serialize = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work)
    turn = done.catch(() => undefined)
    return done
  }

  async function append(charges: readonly PendingCharge[]): Promise<number> {
    const first = last + 1
    frames.begin(open ? NOTHING : HEADER)
    for (const each of charges) frames.add(encodePendingCharge(each, (last += 1)))
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
      // Harmless: charges that are read from it again turn out to be booked.
      logger.warn('journal: files of what is booked could not be removed', { error: String(error) })
    }
  }

  async function read(file: string, journal: string): Promise<{ charges: JournaledCharge[]; whole: boolean }> {
    const { payloads, damage } = readFrames(await folder.read(file), folder.checksum)
    for (const { kind, at, bytes } of damage) {
      if (kind === 'torn') logger.warn('journal: the last record was not written whole', { file, at, bytes })
      else logger.error('journal: bytes were changed and are passed over', { file, at, bytes })
    }
    const charges = payloads.map((payload) => ({ journal, ...decodePendingCharge(payload) }))
    return { charges, whole: damage.every(({ kind }) => kind === 'torn') }
  }

  return {
    name: folder.own,
    append: (charges) => serialize(() => append(charges)),
    async *readAll() {
      for (let at = 0; at < files.length; at += 1)
        yield* (await serialize(() => read(files[at]?.name ?? '', folder.own))).charges
    },
    markBooked(place) {
      const [oldest] = files
      if (!oldest || oldest.last > place || (open && files.length === 1)) return
      const closed = open ? files.slice(0, -1) : files
      const booked = closed.filter(({ last }) => last <= place)
      files = files.slice(booked.length)
      void serialize(() => remove(booked))
    },
    clear: () =>
      serialize(async () => {
        await end()
        const booked = files
        files = []
        await remove(booked)
      }),
    async *adoptLeft() {
      for (const { file, journal } of await folder.adopt()) {
        const found = await read(file, journal).catch(async (error: unknown) => {
          if (error instanceof UnknownJournal && error.newer) throw new GatewayError('journal.newer', { file })
          logger.error('journal: a file cannot be read and is put aside', {
            file: await folder.putAside(file),
            error: String(error),
          })
        })
        if (!found) continue
        const { charges, whole } = found
        yield {
          file,
          journal,
          charges,
          done: async () => void (await (whole ? folder.remove(file) : folder.putAside(file))),
        }
      }
    },
    close: () =>
      serialize(async () => {
        await end()
        await folder.close()
      }),
  }
}

const NOTHING = new Uint8Array(0)
