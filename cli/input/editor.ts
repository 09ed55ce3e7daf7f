// Text editing in the editor of the person at the terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CommandCancelled, UsageError } from '../failure.ts'
import type { CommandEnvironment } from '../command.ts'
import { words } from '../texts.ts'

const PRIVATE_MODE = 0o600

/** Saves a text that could not be stored in a file for this user alone. Returns the file's name. */
export async function saveTextDraft(text: string): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'weir-kept-')), 'settings.json')
  await writeFile(file, text, { mode: PRIVATE_MODE })
  return file
}

/**
 * Opens the text in $VISUAL or $EDITOR and returns the result. `name` is the file name, for the editor's syntax
 * colours.
 * @throws UsageError if there is no terminal; Cancelled if the editor failed
 */
export async function editTextInEditor(
  { env, terminal }: Pick<CommandEnvironment, 'env' | 'terminal'>,
  name: string,
  text: string,
): Promise<string> {
  if (!terminal.interactive)
    throw new UsageError(words('No terminal is available to edit on: use `weir settings set KEY VALUE`.'))
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-edit-'))
  const file = path.join(folder, name)
  try {
    await writeFile(file, text, { mode: PRIVATE_MODE })
    const editor = env.VISUAL || env.EDITOR || 'vi'
    // $EDITOR may contain options, such as `code --wait`.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new CommandCancelled()
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
