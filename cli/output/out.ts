// `--out`: the file for a command's output, instead of standard output.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fillTemplate } from '../../core/errors.ts'
import type { ResultPrinter } from './output.ts'
import { words } from '../texts.ts'

export const outFileOption = {
  flag: '--out <file>',
  help: words('write to this file (default: to standard output)'),
} as const

/** Writes a file that only the current user can read, because it contains personal data. */
export async function writeOutputFile(
  print: ResultPrinter,
  pieces: AsyncIterable<string | Uint8Array>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) return print.file(pieces)
  await pipeline(Readable.from(pieces), createWriteStream(file, { mode: 0o600 }))
  print.say(fillTemplate(words('Written to {file}.'), { file }))
}
