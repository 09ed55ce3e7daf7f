// `--out`: what a command gives as a file goes there, or else to standard output.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { words } from '../core/errors.ts'
import type { Printer } from './output.ts'

export const outOption = {
  flag: '--out <file>',
  help: words('write to this file (otherwise to standard output)', '写入此文件（默认写到标准输出）'),
} as const

/** The file is for whoever runs the command alone: it tells of people. */
export async function writeOut(
  print: Printer,
  pieces: AsyncIterable<string | Uint8Array>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) return print.file(pieces)
  await pipeline(Readable.from(pieces), createWriteStream(file, { mode: 0o600 }))
  print.say(words(`Written to ${file}.`, `已写入 ${file}。`))
}
