// A text in the editor of whoever sits at the terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { words } from '../core/errors.ts'
import { Cancelled, UsageError } from './failure.ts'
import type { CommandEnvironment } from './command.ts'

const FOR_ME_ALONE = 0o600

/** Keeps a text that could not be saved, in a file for this user alone; gives its name. */
export async function saveDraft(text: string): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'weir-kept-')), 'settings.json')
  await writeFile(file, text, { mode: FOR_ME_ALONE })
  return file
}

/**
 * What the text has become in $VISUAL or $EDITOR. `name` is that of the file, for the editor's colours.
 * @throws UsageError where nobody sits there; Cancelled where the editor ended badly
 */
export async function editText(
  { env, terminal }: Pick<CommandEnvironment, 'env' | 'terminal'>,
  name: string,
  text: string,
): Promise<string> {
  if (!terminal.interactive)
    throw new UsageError(
      words(
        'There is no terminal to edit on: use `weir settings set KEY VALUE`.',
        '没有可以编辑的终端：请使用 `weir settings set 设置项 值`。',
      ),
    )
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-edit-'))
  const file = path.join(folder, name)
  try {
    await writeFile(file, text, { mode: FOR_ME_ALONE })
    const editor = env.VISUAL || env.EDITOR || 'vi'
    // Editors are commands with options, such as `code --wait`.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Cancelled()
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
